import { fail } from "@reins/core";
import { mergePairs } from "./merge-pairs.ts";
import type { Tokenizer } from "./tokenizer.ts";

/** Words with a leading space, single digits, runs of spaces, everything else: merges never cross these borders. */
const pieces = / ?\p{L}+|\p{N}|[^\S\n]+|\n|[^\p{L}\p{N}\s]+/gu;

/** The merges of {@link byteLevelBpe}: pairs of tokens in merge order. Plain data. */
export type BpeMerges = readonly (readonly [left: number, right: number])[];

/** Maximum characters of a cached piece: longer ones rarely recur. */
const longestKept = 64;

const bytes = new TextEncoder();
// A byte order mark is an ordinary character.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const first = 2;
/** Above any table size, and small enough that a pair of tokens is one exact number. */
const span = 2 ** 26;
const keyOf = (left: number, right: number): number => left * span + right;

/**
 * Trains a vocabulary of `size` tokens on texts: the most frequent pair becomes a token, repeatedly (Sennrich et al.,
 * 2016).
 */
export function trainBpe(texts: Iterable<string>, size: number): BpeMerges {
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const [piece] of text.matchAll(pieces)) counts.set(piece, (counts.get(piece) ?? 0) + 1);
  const words = [...counts].map(([piece, count]) => ({ tokens: bytesOf(piece), count }));
  const merges: [number, number][] = [];
  for (let next = first + 256; next < size; next++) {
    const pairs = new Map<number, number>();
    for (const { tokens, count } of words)
      for (let i = 1; i < tokens.length; i++) {
        const key = keyOf(tokens[i - 1], tokens[i]);
        pairs.set(key, (pairs.get(key) ?? 0) + count);
      }
    // Ties go to the pair with the lower tokens, so that the order of the texts does not matter.
    let [best, most] = [-1, 1];
    for (const [key, count] of pairs)
      if (count > most || (count === most && best >= 0 && key < best)) [best, most] = [key, count];
    if (best < 0) break;
    const pair: [number, number] = [Math.floor(best / span), best % span];
    merges.push(pair);
    for (const word of words) word.tokens = join(word.tokens, pair, next);
  }
  return merges;
}

/** Byte-level BPE: any text can be encoded, frequent pieces as one token. */
export function byteLevelBpe(merges: BpeMerges): Tokenizer {
  const rank = new Map(merges.map(([a, b], i) => [keyOf(a, b), i]));
  const spelled: Uint8Array[] = [new Uint8Array(), new Uint8Array()];
  for (let b = 0; b < 256; b++) spelled.push(Uint8Array.of(b));
  for (const [a, b] of merges) {
    if (!spelled[a] || !spelled[b])
      fail("byteLevelBpe", `a pair uses token ${spelled[a] ? b : a} before it exists.`);
    spelled.push(Uint8Array.from([...spelled[a], ...spelled[b]]));
  }
  const known = new Map<string, number[]>();
  const rankOf = (left: number, right: number) => rank.get(keyOf(left, right));
  const encodePiece = (piece: string): number[] =>
    mergePairs(bytesOf(piece), rankOf, (best) => first + 256 + best);
  const text = (tokens: Iterable<number>) =>
    decoder.decode(Uint8Array.from([...tokens].flatMap((t) => [...(spelled[t] ?? [])])));
  return {
    size: spelled.length,
    pad: 0,
    end: 1,
    encode: (whole) =>
      [...whole.matchAll(pieces)].flatMap(([piece]) => {
        const found = known.get(piece) ?? encodePiece(piece);
        if (known.size < 100_000 && piece.length <= longestKept) known.set(piece, found);
        return found;
      }),
    longestToken: () => spelled.reduce((most, own) => Math.max(most, own.length), 0),
    decode: text,
    textOf: (token) => text([token]),
    bytesOf: (token) => (token < first ? undefined : spelled[token]),
  };
}

const bytesOf = (piece: string): number[] => Array.from(bytes.encode(piece), (b) => b + first);

function join(tokens: readonly number[], [a, b]: readonly [number, number], joined: number): number[] {
  const out: number[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const together = tokens[i] === a && tokens[i + 1] === b;
    out.push(together ? joined : tokens[i]);
    if (together) i++;
  }
  return out;
}
