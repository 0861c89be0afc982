import type { Color, Point, Rendering, RenderShape } from "@reins/core";

const side = 48;
const margin = 12;
const line: Color = "#d0d7de";
const note: Color = "#57606a";

/** Appearance of a grid cell. */
export interface Cell {
  readonly color: Color;
  /** A letter in its centre. */
  readonly letter?: string;
  /** A flag, for the goal. */
  readonly flag?: boolean;
  /** A hole. */
  readonly hole?: boolean;
}

/** A grid of cells with the agent at `at`; `more` is drawn over it, and a caption below. */
export function gridPicture(
  cells: readonly (readonly Cell[])[],
  at: number,
  {
    agent = true,
    more = [],
    text = "",
  }: { agent?: boolean; more?: readonly RenderShape[]; text?: string } = {},
): Rendering {
  const columns = cells[0].length;
  const [width, height] = [columns * side + 2 * margin, cells.length * side + 2 * margin + (text ? 20 : 0)];
  const shapes = cells.flatMap((row, r) => row.flatMap((cell, c) => cellShapes(cell, cornerOf(r, c))));
  const [x, y] = middleOf(at, columns);
  const walker: RenderShape[] = [
    { kind: "circle", center: [x, y - 8], radius: 7, color: "#0969da" },
    {
      kind: "polygon",
      points: [
        [x, y - 4],
        [x + 11, y + 16],
        [x - 11, y + 16],
      ],
      color: "#0969da",
    },
  ];
  const words: RenderShape[] = text
    ? [{ kind: "text", text, at: [margin, height - margin], size: 8, color: note }]
    : [];
  return { width, height, shapes: [...shapes, ...more, ...(agent ? walker : []), ...words] };
}

const cornerOf = (row: number, column: number): Point => [margin + column * side, margin + row * side];

/** The centre of a cell; cells are counted row by row. */
export function middleOf(cell: number, columns: number): Point {
  const [x, y] = cornerOf(Math.floor(cell / columns), cell % columns);
  return [x + side / 2, y + side / 2];
}

/** A wall on the right of a cell. */
export function wallRightOf(cell: number, columns: number): RenderShape {
  const [x, y] = middleOf(cell, columns);
  const right = x + side / 2;
  return {
    kind: "line",
    points: [
      [right, y - side / 2],
      [right, y + side / 2],
    ],
    width: 5,
    color: "#24292f",
  };
}

function cellShapes({ color, letter, flag, hole }: Cell, [x, y]: Point): RenderShape[] {
  const [right, low, cx, cy] = [x + side, y + side, x + side / 2, y + side / 2];
  const corners: Point[] = [
    [x, y],
    [right, y],
    [right, low],
    [x, low],
  ];
  return [
    { kind: "polygon", points: corners, color },
    { kind: "line", points: [...corners, corners[0]], width: 1, color: line },
    ...(hole ? [{ kind: "circle", center: [cx, cy], radius: 16, color: "#1f4e79" } as const] : []),
    ...(letter
      ? [{ kind: "text", text: letter, at: [cx - 5, cy + 8], size: 15, color: "#24292f" } as const]
      : []),
    ...(flag
      ? [
          {
            kind: "line",
            points: [
              [cx - 8, cy - 15],
              [cx - 8, cy + 15],
            ],
            width: 2.5,
            color: "#24292f",
          } as const,
          {
            kind: "polygon",
            points: [
              [cx - 8, cy - 15],
              [cx + 13, cy - 7],
              [cx - 8, cy + 1],
            ],
            color: "#1a7f37",
          } as const,
        ]
      : []),
  ];
}
