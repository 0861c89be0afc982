import type { Patch } from "./frames.ts";
import type { Raster } from "./raster.ts";

/** At most 256 colours that approximate those of some images. */
export interface Palette {
  /** 256 × red, green, blue. */
  readonly colors: Uint8Array;
  /** Index of the nearest colour of each pixel in a rectangle of an image. */
  indices(frame: Raster, patch: Patch): Uint8Array;
}

/** The most common colours; if there are more than 256, similar ones are merged. */
export function paletteOf(frames: readonly Raster[]): Palette {
  const counts = new Map<number, number>();
  for (const { data } of frames)
    for (let i = 0; i < data.length; i += 3) {
      const color = (data[i] << 16) | (data[i + 1] << 8) | data[i + 2];
      counts.set(color, (counts.get(color) ?? 0) + 1);
    }
  const chosen = counts.size <= 256 ? [...counts.keys()] : commonest(counts);
  const colors = new Uint8Array(768);
  chosen.forEach((color, i) => colors.set([color >> 16, (color >> 8) & 255, color & 255], 3 * i));
  const known = new Map(chosen.map((color, i) => [color, i]));
  const indexOf = (color: number) => {
    const found = known.get(color) ?? nearest(color, chosen);
    known.set(color, found);
    return found;
  };
  return {
    colors,
    indices({ width, data }, patch) {
      const out = new Uint8Array(patch.width * patch.height);
      for (let y = 0; y < patch.height; y++)
        for (let x = 0; x < patch.width; x++) {
          const at = 3 * ((patch.y + y) * width + patch.x + x);
          out[y * patch.width + x] = indexOf((data[at] << 16) | (data[at + 1] << 8) | data[at + 2]);
        }
      return out;
    },
  };
}

/** The most common colour of each of the 256 most common cells of a coarse colour grid. */
function commonest(counts: ReadonlyMap<number, number>): number[] {
  const cells = new Map<number, { total: number; most: number; color: number }>();
  for (const [color, count] of counts) {
    const key = color & 0xf0f0f0;
    const cell = cells.get(key) ?? { total: 0, most: 0, color };
    cell.total += count;
    if (count > cell.most) {
      cell.most = count;
      cell.color = color;
    }
    cells.set(key, cell);
  }
  const sorted = [...cells.values()].sort((a, b) => b.total - a.total);
  return sorted.slice(0, 256).map((cell) => cell.color);
}

function nearest(color: number, chosen: readonly number[]): number {
  let [best, least] = [0, Number.POSITIVE_INFINITY];
  chosen.forEach((other, i) => {
    const red = (color >> 16) - (other >> 16);
    const green = ((color >> 8) & 255) - ((other >> 8) & 255);
    const blue = (color & 255) - (other & 255);
    const off = 2 * red * red + 4 * green * green + 3 * blue * blue;
    if (off < least) [best, least] = [i, off];
  });
  return best;
}
