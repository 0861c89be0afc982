import { fail } from "@reins/core";
import type { Gpt } from "@reins/nn";
import type { PatchOptions, PictureGpt } from "./patches.ts";

/** A picture as a problem holds it: plain numbers, row by row, the channels of a cell side by side. */
export interface Image {
  readonly cells: readonly number[];
  readonly shape: readonly [height: number, width: number, channels: number];
}

/** One picture, cut into patches that stand, in order, in the places of a prompt's first placeholders. */
export interface Picture {
  /** count × features, row by row. */
  readonly patches: Float32Array;
  /** count × 2: the row and the column of each. */
  readonly places: Int32Array;
}

/** How a model reads pictures, if it does. */
export const patchOptionsOf = (model: Gpt): PatchOptions | undefined =>
  (model as Partial<PictureGpt>).patches;

/** Numbers a patch. */
export const featuresOf = ({ patch, channels }: PatchOptions): number => patch[0] * patch[1] * channels;

/** Cuts a picture as a model reads it, in the order of `cutPatches`. */
export function cutImage({ cells, shape }: Image, { patch, channels, grid }: PatchOptions): Picture {
  const [height, width, deep] = shape;
  const [rows, columns] = [height / patch[0], width / patch[1]];
  if (deep !== channels || cells.length !== height * width * channels)
    fail("picture", `it has ${cells.length} numbers for [${shape.join(", ")}]; cells have ${channels} each.`);
  if (!(Number.isInteger(rows) && Number.isInteger(columns) && rows <= grid[0] && columns <= grid[1]))
    fail(
      "picture",
      `${height} × ${width} cells are not whole patches of ${patch.join(" × ")}, at most ${grid.join(" × ")} of them.`,
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

/** Whether two texts see the same, by content: what was read for one then holds for the other. */
export function samePicture(a: Picture | undefined, b: Picture | undefined): boolean {
  if (a === b) return true;
  if (!a || !b) return false;
  return equal(a.places, b.places) && equal(a.patches, b.patches);
}

const equal = (a: Float32Array | Int32Array, b: Float32Array | Int32Array) =>
  a.length === b.length && a.every((x, i) => x === b[i]);

/** Stops with the reason if a picture cannot stand in a prompt. */
export function checkPicture(model: Gpt, prompt: readonly number[], picture: Picture): void {
  const how =
    patchOptionsOf(model) ??
    fail("picture", "the model reads no pictures. Give it patches first: withPatches(model, …).");
  const [count, features] = [picture.places.length / 2, featuresOf(how)];
  if (picture.patches.length !== count * features)
    fail(
      "picture",
      `${count} places and ${picture.patches.length} numbers do not fit; a patch has ${features}.`,
    );
  const found = prompt.reduce((n, t) => n + (t === how.token ? 1 : 0), 0);
  if (found < count)
    fail("picture", `it has ${count} patches; the prompt has ${found} placeholders (token ${how.token}).`);
  if (found === count && prompt[prompt.length - 1] === how.token)
    fail("picture", "a prompt cannot end with a patch. Let words follow the picture.");
}

/**
 * Lays a picture beside the tokens from `from` on, up to `to`: each gets the vector and the place of its patch. What has none keeps what the buffers
 * hold, which is 0 and −1.
 */
export function layPicture(
  tokens: readonly number[],
  picture: Picture,
  token: number,
  into: { patches: Float32Array; places: Int32Array; at?: number; from?: number; to?: number },
): void {
  const { patches, places, at = 0, from = 0, to: end = tokens.length } = into;
  const count = picture.places.length / 2;
  const features = picture.patches.length / count;
  let p = 0;
  for (let i = 0; i < end && p < count; i++) {
    if (tokens[i] !== token) continue;
    if (i >= from) {
      const to = at + i - from;
      for (let k = 0; k < features; k++) patches[to * features + k] = picture.patches[p * features + k];
      places[2 * to] = picture.places[2 * p];
      places[2 * to + 1] = picture.places[2 * p + 1];
    }
    p++;
  }
}
