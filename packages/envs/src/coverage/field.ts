import type { Generator } from "@reins/core";
import { real } from "@reins/tensor";

/**
 * A square field whose cells are worth something to whoever sees them, once: what a path covers is a submodular function of its cells
 * (Prajapat et al., "Submodular Reinforcement Learning", 2024).
 */
export interface CoverageField {
  /** Cells along each side. */
  readonly size: number;
  /** What each cell is worth; all together 1. */
  readonly worth: Float64Array;
  /** The cells that are seen from each cell. */
  readonly seen: readonly (readonly number[])[];
}

/** How a field is drawn. */
export interface CoverageFieldOptions {
  readonly size: number;
  /** How many rich places there are. */
  readonly peaks?: number;
  /** How wide each of them is, in cells. */
  readonly width?: number;
  /** How far one sees, in cells, along lines and across. */
  readonly reach?: number;
}

/** A field with rich places here and there. */
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

/** What is new from a cell, to whoever has seen what is marked: F(s | history). */
export function marginalGain(
  { worth, seen }: CoverageField,
  cell: number,
  marked: ArrayLike<number>,
): number {
  let gain = 0;
  for (const c of seen[cell]) if (!marked[c]) gain += worth[c];
  return gain;
}

/** Marks what is seen from a cell, and says what was new. */
export function look(field: CoverageField, cell: number, marked: Uint8Array): number {
  const gain = marginalGain(field, cell, marked);
  for (const c of field.seen[cell]) marked[c] = 1;
  return gain;
}

/** The cell that a way leads to: up (0), right (1), down (2), left (3); at the edge one stays. */
export function walked(size: number, cell: number, way: number): number {
  const column = cell % size;
  if (way === 0) return cell >= size ? cell - size : cell;
  if (way === 1) return column < size - 1 ? cell + 1 : cell;
  if (way === 2) return cell + size < size * size ? cell + size : cell;
  return column > 0 ? cell - 1 : cell;
}
