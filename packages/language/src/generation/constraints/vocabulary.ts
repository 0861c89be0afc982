import type { Tokenizer } from "../../tokenizers/tokenizer.ts";
import { everything, type Ranges, union } from "./ranges.ts";

/**
 * The bytes of all tokens as a prefix tree, its nodes in depth-first order: where a prefix is not allowed, `after`
 * skips everything that begins with it.
 */
export interface Vocabulary {
  readonly size: number;
  readonly end: number;
  readonly bytes: Uint8Array;
  /** Number of bytes before a node's own. */
  readonly depths: Uint16Array;
  readonly after: Int32Array;
  /** The tokens that end at node n are `tokens` from `first[n]` to `first[n + 1]`. */
  readonly first: Int32Array;
  readonly tokens: Int32Array;
  /** The characters that can be written anywhere; undefined if all can. */
  readonly alphabet?: Ranges;
  /** The bytes of one token; undefined for special tokens. */
  bytesOf(token: number): Uint8Array | undefined;
}

const made = new WeakMap<Tokenizer, Vocabulary>();

/** The vocabulary of a tokenizer, cached. */
export function vocabularyOf(tokenizer: Tokenizer): Vocabulary {
  const known = made.get(tokenizer) ?? read(tokenizer);
  made.set(tokenizer, known);
  return known;
}

function read(tokenizer: Tokenizer): Vocabulary {
  const spelled: { token: number; bytes: Uint8Array }[] = [];
  for (let token = 0; token < tokenizer.size; token++) {
    const bytes = tokenizer.bytesOf(token);
    if (bytes?.length && token !== tokenizer.end) spelled.push({ token, bytes });
  }
  const alphabet = alphabetOf(spelled.map((s) => s.bytes));
  // Where some bytes have no token, a token that ends inside a character may be impossible to complete.
  const usable = alphabet ? spelled.filter((s) => characterOf(s.bytes) !== undefined) : spelled;
  return {
    size: tokenizer.size,
    end: tokenizer.end,
    ...prefixes(usable.sort((a, b) => compare(a.bytes, b.bytes))),
    ...(alphabet ? { alphabet } : {}),
    bytesOf: (token) => (token === tokenizer.end ? undefined : tokenizer.bytesOf(token)),
  };
}

function prefixes(sorted: readonly { token: number; bytes: Uint8Array }[]) {
  const bytes: number[] = [];
  const depths: number[] = [];
  const first: number[] = [];
  const path: number[] = [];
  const after: number[] = [];
  const close = (depth: number) => {
    while (path.length > depth) after[path.pop()!] = bytes.length;
  };
  let before: Uint8Array = new Uint8Array();
  sorted.forEach(({ bytes: own }, i) => {
    let common = 0;
    while (common < before.length && before[common] === own[common]) common++;
    close(common);
    for (let k = common; k < own.length; k++) {
      path.push(bytes.length);
      depths.push(k);
      // Inner nodes have no tokens: their range is empty.
      first.push(i);
      bytes.push(own[k]);
    }
    before = own;
  });
  close(0);
  first.push(sorted.length);
  return {
    bytes: Uint8Array.from(bytes),
    depths: Uint16Array.from(depths),
    after: Int32Array.from(after),
    first: Int32Array.from(first),
    tokens: Int32Array.from(sorted, (s) => s.token),
  };
}

/** The characters that can be written anywhere: those with a token, and those whose every byte has one. */
function alphabetOf(spelled: readonly Uint8Array[]): Ranges | undefined {
  const alone = new Set(spelled.filter((b) => b.length === 1).map((b) => b[0]));
  const inside = Array.from({ length: 0xf5 - 0x80 }, (_, i) => 0x80 + i).filter(
    (b) => b !== 0xc0 && b !== 0xc1,
  );
  const points: [number, number][] = [...alone].filter((b) => b < 0x80).map((b) => [b, b]);
  if (inside.every((b) => alone.has(b))) points.push([0x80, 0x10ffff]);
  else
    for (const bytes of spelled) {
      const [character, ...more] = characterOf(bytes) ?? [];
      if (character && !more.length) points.push([character.codePointAt(0)!, character.codePointAt(0)!]);
    }
  const found = union(points);
  return JSON.stringify(found) === JSON.stringify(everything) ? undefined : found;
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of bytes that are complete characters. */
function characterOf(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

function compare(a: Uint8Array, b: Uint8Array): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
}
