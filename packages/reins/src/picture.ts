import type { Ink } from "./ink.ts";

/** A square of numbers from 0 to 1, row by row from the top. */
export interface Square {
  readonly values: ArrayLike<number>;
  readonly size: number;
}

/** A point to draw over the picture: x to the right and y up, both from -1 to 1 across the square; its class is 0 or 1. */
export interface Mark {
  readonly x: number;
  readonly y: number;
  readonly label: number;
}

/**
 * Draws a square with marks on it as `rows` lines of `2 · rows` characters. Each character is two pixels, one above the other, so
 * that pixels are about square.
 */
export function picture(square: Square, marks: readonly Mark[], rows: number, ink: Ink): string[] {
  const side = 2 * rows;
  const pixel = (row: number, column: number) => {
    const at = (i: number) => Math.floor(((i + 0.5) / side) * square.size);
    return square.values[at(row) * square.size + at(column)];
  };
  const marked = new Map<number, number>();
  for (const { x, y, label } of marks) {
    const [row, column] = [Math.floor(((1 - y) / 2) * side), Math.floor(((x + 1) / 2) * side)];
    if (row >= 0 && row < side && column >= 0 && column < side) marked.set(row * side + column, label);
  }
  return Array.from({ length: rows }, (_, line) => {
    const cells = Array.from({ length: side }, (_, column) => {
      const [top, bottom] = [2 * line, 2 * line + 1].map((row) => ({
        value: pixel(row, column),
        mark: marked.get(row * side + column),
      }));
      return ink.cell(top, bottom);
    });
    return ink.line(cells);
  });
}
