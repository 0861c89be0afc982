import { fail } from "@reins/core";
import type { Gpt } from "@reins/nn";
import type { ImageGpt, PatchOptions } from "./patches.ts";

/** An image of a problem: plain numbers, row by row, channels interleaved. */
export interface RasterImage {
  readonly cells: readonly number[];
  readonly shape: readonly [height: number, width: number, channels: number];
}

/** An image cut into patches that replace a prompt's first placeholders, in order. */
export interface ImagePatches {
  /** count × features, row by row. */
  readonly patches: Float32Array;
  /** count × 2: row and column of each patch. */
  readonly places: Int32Array;
}

/** Settings of a model's image encoder, if it has one. */
export const patchOptionsOf = (model: Gpt): PatchOptions | undefined => (model as Partial<ImageGpt>).patches;

/** Numbers per patch. */
export const featuresOf = ({ patch, channels }: PatchOptions): number => patch[0] * patch[1] * channels;

/** Cuts an image into a model's patches, in the order of `cutPatches`. */
export function imagePatches(
  { cells, shape }: RasterImage,
  { patch, channels, grid }: PatchOptions,
): ImagePatches {
  const [height, width, deep] = shape;
  const [rows, columns] = [height / patch[0], width / patch[1]];
  if (deep !== channels || cells.length !== height * width * channels)
    fail(
      "image",
      `${cells.length} numbers do not match shape [${shape.join(", ")}] with ${channels} channels.`,
    );
  if (!(Number.isInteger(rows) && Number.isInteger(columns) && rows <= grid[0] && columns <= grid[1]))
    fail(
      "image",
      `${height} × ${width} cells cannot be cut into patches of ${patch.join(" × ")} on a grid of at most ${grid.join(" × ")}.`,
    );
  const patches = new Float32Array(cells.length);
  const places = new Int32Array(2 * rows * columns);
  const line = patch[1] * channels;
  let at = 0;
  for (let p = 0; p < rows * columns; p++) {
    const [row, column] = [Math.floor(p / columns), p % columns];
    places[2 * p] = row;
    places[2 * p + 1] = column;
    for (let y = 0; y < patch[0]; y++) {
      const from = ((row * patch[0] + y) * width + column * patch[1]) * channels;
      for (let k = 0; k < line; k++) patches[at++] = cells[from + k];
    }
  }
  return { patches, places };
}

/** Whether two texts have the same image, by content, so that they can share KV caches. */
export function sameImage(a: ImagePatches | undefined, b: ImagePatches | undefined): boolean {
  if (a === b) return true;
  if (!a || !b) return false;
  return equal(a.places, b.places) && equal(a.patches, b.patches);
}

const equal = (a: Float32Array | Int32Array, b: Float32Array | Int32Array) =>
  a.length === b.length && a.every((x, i) => x === b[i]);

/** Throws if an image does not fit a prompt. */
export function checkImage(model: Gpt, prompt: readonly number[], image: ImagePatches): void {
  const how =
    patchOptionsOf(model) ??
    fail("image", "the model has no image encoder. Add one with withPatches(model, …).");
  const [count, features] = [image.places.length / 2, featuresOf(how)];
  if (image.patches.length !== count * features)
    fail("image", `${count} places need ${count * features} numbers; patches has ${image.patches.length}.`);
  const found = prompt.reduce((n, t) => n + (t === how.token ? 1 : 0), 0);
  if (found < count)
    fail("image", `it has ${count} patches, but the prompt has ${found} placeholders (token ${how.token}).`);
  if (found === count && prompt[prompt.length - 1] === how.token)
    fail("image", "a prompt cannot end with a patch. Put text after the image.");
}

/**
 * Aligns an image with the tokens from `from` to `to`: each placeholder gets the vector and the place of its patch.
 * Other positions keep the buffers' defaults, 0 and −1.
 */
export function alignImage(
  tokens: readonly number[],
  image: ImagePatches,
  token: number,
  into: { patches: Float32Array; places: Int32Array; at?: number; from?: number; to?: number },
): void {
  const { patches, places, at = 0, from = 0, to: end = tokens.length } = into;
  const count = image.places.length / 2;
  const features = image.patches.length / count;
  let p = 0;
  for (let i = 0; i < end && p < count; i++) {
    if (tokens[i] !== token) continue;
    if (i >= from) {
      const to = at + i - from;
      for (let k = 0; k < features; k++) patches[to * features + k] = image.patches[p * features + k];
      places[2 * to] = image.places[2 * p];
      places[2 * to + 1] = image.places[2 * p + 1];
    }
    p++;
  }
}
