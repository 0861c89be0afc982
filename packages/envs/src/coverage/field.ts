import type { Generator } from "@reins/core/random";
import { real } from "@reins/tensor";

/**
 * A square field whose cells have a value that counts once when seen: the value of a path is a submodular function
 * of its cells (Prajapat et al., "Submodular Reinforcement Learning", 2024).
 */
export interface CoverageField {
  /** Cells along each side. */
  readonly size: number;
  /** Value of each cell; their sum is 1. */
  readonly worth: Float64Array;
  /** The cells visible from each cell. */
  readonly seen: readonly (readonly number[])[];
}

/** Options of a random field. */
export interface CoverageFieldOptions {
  readonly size: number;
  /** Number of rich places. */
  readonly peaks?: number;
  /** Width of a rich place, in cells. */
  readonly width?: number;
  /** View distance, in cells, along and across lines. */
  readonly reach?: number;
}

/** A field with random rich places. */
export function randomField(random: Generator, options: CoverageFieldOptions): CoverageField {
  const { size, peaks = 4, width = 1, reach = 1 } = options;
  const centres = Array.from({ length: peaks }, () => [random.uniform(0, size), random.uniform(0, size)]);
  const raw = Float64Array.from({ length: size * size }, (_, cell) => {
    const [x, y] = [(cell % size) + 0.5, Math.floor(cell / size) + 0.5];
    const squares = centres.map(([a, b]) => (x - a) ** 2 + (y - b) ** 2);
    return 0.02 + squares.reduce((sum, d) => sum + real.exp(-d / (2 * width * width)), 0);
  });
  const total = raw.reduce((a, b) => a + b);
  const near = (a: number, b: number) =>
    Math.abs((a % size) - (b % size)) <= reach &&
    Math.abs(Math.floor(a / size) - Math.floor(b / size)) <= reach;
  const cells = Array.from(raw, (_, cell) => cell);
  return { size, worth: raw.map((w) => w / total), seen: cells.map((c) => cells.filter((d) => near(c, d))) };
}

/** Newly visible value from a cell, given the marked cells: F(s | history). */
export function marginalGain(
  { worth, seen }: CoverageField,
  cell: number,
  marked: ArrayLike<number>,
): number {
  let gain = 0;
  for (const c of seen[cell]) if (!marked[c]) gain += worth[c];
  return gain;
}

/** Marks the cells visible from a cell, and returns their new value. */
export function look(field: CoverageField, cell: number, marked: Uint8Array): number {
  const gain = marginalGain(field, cell, marked);
  for (const c of field.seen[cell]) marked[c] = 1;
  return gain;
}

/** The cell reached by a move: up (0), right (1), down (2), left (3); moves at the edge stay. */
export function walked(size: number, cell: number, way: number): number {
  const column = cell % size;
  if (way === 0) return cell >= size ? cell - size : cell;
  if (way === 1) return column < size - 1 ? cell + 1 : cell;
  if (way === 2) return cell + size < size * size ? cell + size : cell;
  return column > 0 ? cell - 1 : cell;
}
