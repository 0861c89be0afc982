import type { Color, Point, Rendering, RenderShape } from "@reins/core";
import {
  ball,
  box,
  closed,
  colorNames,
  door,
  goal,
  key,
  kindNames,
  lava,
  locked,
  open,
  stepX,
  stepY,
  wall,
} from "./symbols.ts";

/** State drawn of a world. */
export interface Scene {
  readonly width: number;
  readonly height: number;
  readonly cells: ArrayLike<number>;
  readonly x: number;
  readonly y: number;
  readonly direction: number;
  readonly heldKind: number;
  readonly heldColor: number;
  readonly mission: string;
  /** Whether the agent sees a cell. */
  isSeen(x: number, y: number): boolean;
}

const paints: readonly Color[] = ["#e5534b", "#57ab5a", "#539bf5", "#986ee2", "#e0c341", "#768390"];
const letters: { readonly [kind: number]: string } = {
  [wall]: "█",
  [key]: "k",
  [ball]: "o",
  [box]: "b",
  [goal]: "G",
  [lava]: "~",
};
const doorLetters: { readonly [status: number]: string } = { [open]: "'", [closed]: "D", [locked]: "L" };
const mostLines = 18;

const held = ({ heldKind, heldColor }: Scene) =>
  heldKind ? `  (has the ${colorNames[heldColor]} ${kindNames[heldKind]})` : "";

/** A text rendering of a world: of tall ones the rows around the agent. */
export function worldText(scene: Scene): string {
  const { width, height, cells, x, y, direction } = scene;
  const first = Math.max(0, Math.min(height - mostLines, y - mostLines / 2));
  const lines: string[] = [];
  for (let line = first; line < Math.min(height, first + mostLines); line++) {
    let text = "";
    for (let column = 0; column < width; column++) {
      const i = 3 * (line * width + column);
      const kind = cells[i];
      const letter = kind === door ? doorLetters[cells[i + 2]] : (letters[kind] ?? " ");
      const mark = column === x && line === y ? "▶▼◀▲"[direction] : letter;
      text += mark + (kind === wall ? "█" : " ");
    }
    lines.push(text.trimEnd());
  }
  return `${lines.join("\n")}\n${scene.mission}${held(scene)}`;
}

/** A rendering of a world: the agent is a red arrow, and its view is lighter. */
export function worldPicture(scene: Scene): Rendering {
  const { width, height, cells, x, y, direction } = scene;
  const edge = Math.max(16, Math.min(40, Math.floor(480 / Math.max(width, height))));
  const shapes: RenderShape[] = [];
  for (let line = 0; line < height; line++)
    for (let column = 0; column < width; column++) {
      const i = 3 * (line * width + column);
      const at: Point = [column * edge, line * edge];
      shapes.push(
        rectangle(at, edge, 0, "#3d444d"),
        rectangle(at, edge, 0.03, scene.isSeen(column, line) ? "#2d333b" : "#14171b"),
      );
      shapes.push(...thing(cells[i], paints[cells[i + 1]], cells[i + 2], at, edge));
    }
  const middle: Point = [(x + 0.5) * edge, (y + 0.5) * edge];
  const point = (ahead: number, aside: number): Point => [
    middle[0] + edge * (stepX[direction] * ahead - stepY[direction] * aside),
    middle[1] + edge * (stepY[direction] * ahead + stepX[direction] * aside),
  ];
  shapes.push({
    kind: "polygon",
    points: [point(0.36, 0), point(-0.3, 0.3), point(-0.3, -0.3)],
    color: "#ff5449",
  });
  // As wide as the grid, with room for a caption: all frames of an episode have one size.
  const lines = wrapped(scene.mission, Math.floor((width * edge - 12) / 8));
  [...lines, held(scene).trim()].forEach((text, i) => {
    const at: Point = [8, height * edge + 18 + i * 16];
    if (text) shapes.push({ kind: "text", text, at, size: 8, color: "#c9d1d9" });
  });
  return {
    width: width * edge,
    height: height * edge + 28 + lines.length * 16,
    background: "#0d1117",
    shapes,
  };
}

/** Wraps a text into lines of at most this many characters. */
function wrapped(text: string, most: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1) ?? ""} ${word}`;
    if (lines.length > 0 && longer.length <= most) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

function thing(kind: number, color: Color, status: number, at: Point, edge: number): RenderShape[] {
  const part = (x: number, y: number): Point => [at[0] + x * edge, at[1] + y * edge];
  const line = (width: number, ink: Color, ...points: Point[]): RenderShape => ({
    kind: "line",
    points,
    width: width * edge,
    color: ink,
  });
  const disc = (x: number, y: number, radius: number, ink: Color): RenderShape => ({
    kind: "circle",
    center: part(x, y),
    radius: radius * edge,
    color: ink,
  });
  const dark: Color = "#14171b";
  switch (kind) {
    case wall:
      return [rectangle(at, edge, 0, "#656d76")];
    case goal:
      return [rectangle(at, edge, 0.03, color)];
    case lava:
      return [
        rectangle(at, edge, 0, "#f0883e"),
        ...[0.3, 0.55, 0.8].map((y) =>
          line(
            0.05,
            "#7a3b00",
            part(0.1, y),
            part(0.3, y - 0.12),
            part(0.5, y),
            part(0.7, y - 0.12),
            part(0.9, y),
          ),
        ),
      ];
    case ball:
      return [disc(0.5, 0.5, 0.31, color)];
    case box:
      return [
        rectangle(at, edge, 0.14, color),
        rectangle(at, edge, 0.22, dark),
        line(0.08, color, part(0.14, 0.5), part(0.86, 0.5)),
      ];
    case key:
      return [
        disc(0.5, 0.28, 0.18, color),
        disc(0.5, 0.28, 0.07, dark),
        line(0.12, color, part(0.5, 0.4), part(0.5, 0.86)),
        line(0.09, color, part(0.32, 0.66), part(0.5, 0.66)),
        line(0.09, color, part(0.32, 0.83), part(0.5, 0.83)),
      ];
    case door:
      if (status === open) return [line(0.12, color, part(0.94, 0), part(0.94, 1))];
      return [
        rectangle(at, edge, 0, color),
        rectangle(at, edge, 0.08, dark),
        rectangle(at, edge, 0.14, status === locked ? color : dark),
        status === locked ? line(0.1, dark, part(0.55, 0.5), part(0.78, 0.5)) : disc(0.74, 0.5, 0.08, color),
      ];
    default:
      return [];
  }
}

function rectangle([x, y]: Point, edge: number, inset: number, color: Color): RenderShape {
  const [from, to] = [inset * edge, (1 - inset) * edge];
  return {
    kind: "polygon",
    points: [
      [x + from, y + from],
      [x + to, y + from],
      [x + to, y + to],
      [x + from, y + to],
    ],
    color,
  };
}
