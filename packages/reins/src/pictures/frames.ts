import type { Raster } from "./raster.ts";

/** A sequence of images. */
export interface Film {
  readonly frames: readonly Raster[];
  /** Frames per second. */
  readonly fps: number;
}

/** A rectangle of an image. */
export interface Patch {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The smallest rectangle that contains all differences of two images; one pixel if they are equal. */
export function changed(before: Raster | undefined, after: Raster): Patch {
  const { width, height, data } = after;
  if (!before) return { x: 0, y: 0, width, height };
  let [left, right, top, bottom] = [width, -1, height, -1];
  for (let y = 0; y < height; y++)
    for (let x = 0, at = 3 * y * width; x < width; x++, at += 3) {
      const old = before.data;
      if (old[at] === data[at] && old[at + 1] === data[at + 1] && old[at + 2] === data[at + 2]) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
    }
  if (right < 0) return { x: 0, y: 0, width: 1, height: 1 };
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}
