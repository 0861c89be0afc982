import type { Color, Point, Rendering, RenderShape } from "@reins/core";

/** Appearance of a board cell. */
export interface BoardCell {
  readonly color: Color;
  /** Text in its centre. */
  readonly text?: string;
  /** A disc instead of a square. */
  readonly round?: boolean;
}

/** Appearance of a board. */
export interface BoardLook {
  /** Cell side in pixels. */
  readonly edge: number;
  /** Background. */
  readonly ground: Color;
  /** A caption below the board. */
  readonly note: string;
}

const margin = 12;

/** A board of cells, row by row from the top, with a caption below. */
export function boardPicture(
  cells: readonly (readonly (BoardCell | undefined)[])[],
  { edge, ground, note }: BoardLook,
): Rendering {
  const [wide, high] = [cells[0].length * edge, cells.length * edge];
  const shapes: RenderShape[] = [square([margin, margin], wide, high, ground)];
  cells.forEach((line, y) =>
    line.forEach((cell, x) => {
      if (cell) shapes.push(...cellShapes(cell, [margin + x * edge, margin + y * edge], edge));
    }),
  );
  const at: Point = [margin, high + 2 * margin + 8];
  shapes.push({ kind: "text", text: note, at, size: 8, color: "#57606a" });
  return { width: wide + 2 * margin, height: high + 2 * margin + 20, shapes };
}

function cellShapes({ color, text, round }: BoardCell, [x, y]: Point, edge: number): RenderShape[] {
  const [cx, cy] = [x + edge / 2, y + edge / 2];
  const shape: RenderShape = round
    ? { kind: "circle", center: [cx, cy], radius: edge / 2 - 4, color }
    : square([x + 1, y + 1], edge - 2, edge - 2, color);
  if (!text) return [shape];
  // Letters are about two thirds as wide as tall.
  const size = Math.min(edge / 3, edge / text.length);
  const at: Point = [cx - text.length * size * 0.36, cy + size / 2];
  return [shape, { kind: "text", text, at, size, color: "#24292f" }];
}

const square = ([x, y]: Point, width: number, height: number, color: Color): RenderShape => ({
  kind: "polygon",
  points: [
    [x, y],
    [x + width, y],
    [x + width, y + height],
    [x, y + height],
  ],
  color,
});
