import type { Cache } from "@reins/nn";
import { type Picture, samePicture } from "../models/pictures.ts";

/** The tokens whose keys and values a row's caches hold, the picture among them, and the weights' version that made them. */
export interface Held {
  tokens: number[];
  /** How many of the first of them were read, many at a time, and not written one by one: that may differ in last bits. */
  read: number;
  version: number;
  picture?: Picture;
}

/** What is about to be read, and for which row. */
interface Wanted {
  readonly text: readonly number[];
  readonly version: number;
  readonly picture?: Picture;
  /** The token in whose places patches of pictures stand. */
  readonly placeholder?: number;
  readonly row: number;
}

/** The row that holds the longest beginning of a text, and how much of it. Texts with different pictures part where the first patch may stand. */
export function longestPrefix(
  held: readonly Held[],
  { text, version, picture, placeholder = -1 }: Wanted,
  lent = (row: Held, _from: number) => row.tokens.length,
): { from: number; shared: number } {
  let best = { from: -1, shared: 0 };
  held.forEach((row, from) => {
    if (row.version !== version) return;
    const most = Math.min(lent(row, from), text.length);
    if (most <= best.shared) return;
    let shared = 0;
    while (shared < most && row.tokens[shared] === text[shared]) shared++;
    if (shared > best.shared && !samePicture(row.picture, picture)) {
      const first = text.indexOf(placeholder);
      if (first >= 0) shared = Math.min(shared, first);
    }
    if (shared > best.shared) best = { from, shared };
  });
  return best;
}

/**
 * The same, so that a text comes to the same bits whatever is written beside it and when: of other rows only what was read counts, which
 * it would have read itself; of its own all.
 */
export const ownPrefix = (held: readonly Held[], wanted: Wanted) =>
  longestPrefix(held, wanted, (row, from) => (from === wanted.row ? row.tokens.length : row.read));

/** How much of a text a row holds itself. */
export function ownShare({ tokens, version: own }: Held, text: readonly number[], version: number): number {
  let shared = 0;
  if (own !== version) return shared;
  while (shared < tokens.length && shared < text.length && tokens[shared] === text[shared]) shared++;
  return shared;
}

/** Copies positions of a row, from `begin` up to but without `end`, from one cache to a row of another. Caches are [rows, heads, positions, width]. */
export function copyPositions(
  from: Cache,
  source: number,
  to: Cache,
  row: number,
  end: number,
  begin = 0,
): void {
  if (end <= begin || (from === to && source === row)) return;
  const [, heads, long, width] = from.keys.shape;
  const wide = to.keys.shape[2];
  const [first, length] = [begin * width, (end - begin) * width];
  for (const part of ["keys", "values"] as const) {
    const [given, taken] = [from[part].data, to[part].data];
    for (let h = 0; h < heads; h++) {
      const start = (source * heads + h) * long * width + first;
      taken.set(given.subarray(start, start + length), (row * heads + h) * wide * width + first);
    }
  }
}
