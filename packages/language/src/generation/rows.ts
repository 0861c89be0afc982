import type { Cache } from "@reins/nn";
import { type Picture, samePicture } from "../models/pictures.ts";

/** The tokens whose keys and values a row's caches hold, the picture among them, and the weights' version that made them. */
export interface Held {
  tokens: number[];
  version: number;
  picture?: Picture;
}

/** The row that holds the longest beginning of a text, and how much of it. Texts with different pictures part where the first patch may stand. */
export function longestPrefix(
  held: readonly Held[],
  text: readonly number[],
  version: number,
  picture?: Picture,
  placeholder = -1,
): { from: number; shared: number } {
  let best = { from: -1, shared: 0 };
  held.forEach((row, from) => {
    if (row.version !== version) return;
    const most = Math.min(row.tokens.length, text.length);
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

/** Copies the first `count` positions of a row from one cache to a row of another. Caches are [rows, heads, positions, width]. */
export function copyPositions(from: Cache, source: number, to: Cache, row: number, count: number): void {
  if (count === 0 || (from === to && source === row)) return;
  const [, heads, long, width] = from.keys.shape;
  const wide = to.keys.shape[2];
  for (let h = 0; h < heads; h++) {
    const start = (source * heads + h) * long * width;
    const target = (row * heads + h) * wide * width;
    to.keys.data.set(from.keys.data.subarray(start, start + count * width), target);
    to.values.data.set(from.values.data.subarray(start, start + count * width), target);
  }
}
