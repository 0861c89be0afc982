import type { Color, Drawing, Point, Shape } from "@reins/core";

/** What a cell of a board shows. */
export interface BoardCell {
  readonly color: Color;
  /** What is written in its middle. */
  readonly text?: string;
  /** A disc in place of a square. */
  readonly round?: boolean;
}

/** How a board looks beside its cells. */
export interface BoardLook {
  /** Pixels of a cell's side. */
  readonly edge: number;
  /** What lies behind the cells. */
  readonly ground: Color;
  /** A line below the board. */
  readonly note: string;
}

const margin = 12;

/** A board of cells, given line by line from the top, with a line of text below. */
export function boardPicture(
  cells: readonly (readonly (BoardCell | undefined)[])[],
  { edge, ground, note }: BoardLook,
): Drawing {
  const [wide, high] = [cells[0].length * edge, cells.length * edge];
  const shapes: Shape[] = [square([margin, margin], wide, high, ground)];
  cells.forEach((line, y) =>
    line.forEach((cell, x) => {
      if (cell) shapes.push(...cellShapes(cell, [margin + x * edge, margin + y * edge], edge));
    }),
  );
  const at: Point = [margin, high + 2 * margin + 8];
  shapes.push({ kind: "text", text: note, at, size: 8, color: "#57606a" });
  return { width: wide + 2 * margin, height: high + 2 * margin + 20, shapes };
}

function cellShapes({ color, text, round }: BoardCell, [x, y]: Point, edge: number): Shape[] {
  const [cx, cy] = [x + edge / 2, y + edge / 2];
  const shape: Shape = round
    ? { kind: "circle", center: [cx, cy], radius: edge / 2 - 4, color }
    : square([x + 1, y + 1], edge - 2, edge - 2, color);
  if (!text) return [shape];
  // Letters are about as wide as two thirds of their height.
  const size = Math.min(edge / 3, edge / text.length);
  const at: Point = [cx - text.length * size * 0.36, cy + size / 2];
  return [shape, { kind: "text", text, at, size, color: "#24292f" }];
}

const square = ([x, y]: Point, width: number, height: number, color: Color): Shape => ({
  kind: "polygon",
  points: [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ],
  color,
});
