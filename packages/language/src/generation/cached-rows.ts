import type { KvCache } from "@reins/nn";
import { type ImagePatches, sameImage } from "../models/images.ts";

/** Contents of a row's KV cache: its tokens, its image, and the weight version that computed them. */
export interface CachedRow {
  tokens: number[];
  /** Length of the prefilled prefix. Later tokens were generated one by one and may differ in last bits. */
  read: number;
  version: number;
  image?: ImagePatches;
}

/** A prompt to prefill and its row. */
interface PrefixQuery {
  readonly text: readonly number[];
  readonly version: number;
  readonly image?: ImagePatches;
  /** The token that image patches replace. */
  readonly placeholder?: number;
  readonly row: number;
}

/**
 * The row with the longest common prefix, and its length. With different images, the prefix ends before the first
 * patch.
 */
export function longestPrefix(
  cached: readonly CachedRow[],
  { text, version, image, placeholder = -1, row: own }: PrefixQuery,
  reusable = (row: CachedRow, _from: number) => row.tokens.length,
): { from: number; shared: number } {
  let best = { from: -1, shared: 0 };
  // A row with less than the text's own row shares cannot be the best one: its tokens, far away in memory, are not read.
  const least = sameImage(cached[own].image, image) ? ownShare(cached[own], text, version) : 0;
  for (let from = 0; from < cached.length; from++) {
    const row = cached[from];
    const most = Math.min(reusable(row, from), text.length);
    if (most < least || most <= best.shared) continue;
    if (row.version !== version || row.tokens[0] !== text[0]) continue;
    let shared = 0;
    while (shared < most && row.tokens[shared] === text[shared]) shared++;
    if (shared > best.shared && !sameImage(row.image, image)) {
      const first = text.indexOf(placeholder);
      if (first >= 0) shared = Math.min(shared, first);
    }
    if (shared > best.shared) best = { from, shared };
  }
  return best;
}

/**
 * Like longestPrefix, but bit-exact whatever else is in the batch: of other rows only prefilled tokens count, of its
 * own row all tokens.
 */
export const ownPrefix = (cached: readonly CachedRow[], query: PrefixQuery) =>
  longestPrefix(cached, query, (row, from) => (from === query.row ? row.tokens.length : row.read));

/** Length of the prefix that a row holds itself. */
export function ownShare(
  { tokens, version: own }: CachedRow,
  text: readonly number[],
  version: number,
): number {
  let shared = 0;
  if (own !== version) return shared;
  while (shared < tokens.length && shared < text.length && tokens[shared] === text[shared]) shared++;
  return shared;
}

/** Overwrites a row's tokens in place: a copy for each turn would be garbage, and grow again with the next token. */
export function replaceTokens(tokens: number[], text: readonly number[]): void {
  if (tokens.length > text.length) tokens.length = text.length;
  const common = tokens.length;
  for (let i = 0; i < common; i++) tokens[i] = text[i];
  for (let i = common; i < text.length; i++) tokens.push(text[i]);
}

/** Whether two texts are equal. Compared from the end, since texts of one length often begin alike. */
export function sameTokens(a: readonly number[], b: readonly number[]): boolean {
  let left = a.length;
  if (left !== b.length) return false;
  while (left > 0 && a[left - 1] === b[left - 1]) left--;
  return left === 0;
}

/** Copies the prefixes that rows share with other rows, which may themselves be overwritten. */
export function copyPrefixes(
  prompts: readonly { readonly row: number; readonly from: number; readonly shared: number }[],
  caches: readonly KvCache[],
): void {
  const copies = prompts.filter(({ row, from, shared }) => from !== row && shared > 0);
  if (copies.length === 0) return;
  const overwritten = new Set(copies.map(({ row }) => row));
  // Only rows that are overwritten need a copy apart from the cache, which costs several times as much.
  const [swapped, others] = [true, false].map((is) => copies.filter((c) => overwritten.has(c.from) === is));
  for (const cache of caches) {
    for (const part of ["keys", "values"] as const) {
      const [, heads, positions, width] = cache[part].shape;
      const data = cache[part].edit();
      const line = (row: number, head: number) => (row * heads + head) * positions * width;
      const read = swapped.map(({ from, shared }) =>
        Array.from({ length: heads }, (_, h) => data.slice(line(from, h), line(from, h) + shared * width)),
      );
      for (const { row, from, shared } of others)
        for (let h = 0; h < heads; h++)
          data.copyWithin(line(row, h), line(from, h), line(from, h) + shared * width);
      swapped.forEach(({ row }, i) => {
        for (let h = 0; h < heads; h++) data.set(read[i][h], line(row, h));
      });
    }
  }
}

/**
 * Copies positions `begin` (inclusive) to `end` (exclusive) of a row to a row of another cache. Caches are [rows,
 * heads, positions, width].
 */
export function copyPositions(
  from: KvCache,
  source: number,
  to: KvCache,
  row: number,
  end: number,
  begin = 0,
): void {
  if (end <= begin || (from === to && source === row)) return;
  const [, heads, long, width] = from.keys.shape;
  const wide = to.keys.shape[2];
  const [first, length] = [begin * width, (end - begin) * width];
  for (const part of ["keys", "values"] as const) {
    const [given, taken] = [from[part].peek(), to[part].edit()];
    for (let h = 0; h < heads; h++) {
      const start = (source * heads + h) * long * width + first;
      taken.set(given.subarray(start, start + length), (row * heads + h) * wide * width + first);
    }
  }
}
