import type { Color, Point, Rendering, RenderShape } from "@reins/core";

/** A kind of object on a screen. */
export interface Channel {
  readonly name: string;
  /** Its character in text. */
  readonly letter: string;
  readonly color: Color;
  /** A trail: a small dot. */
  readonly trail?: boolean;
}

const cells = 10;
const edge = 32;
const margin = 12;

/** A text rendering of a screen; a cell with several objects shows the last channel that is not a trail. */
export function gameText(channels: readonly Channel[], screen: ArrayLike<number>): string {
  const lines = Array.from({ length: cells }, (_, y) => {
    const letters = Array.from({ length: cells }, (_, x) => {
      const seen = thingsIn(channels, screen, y * cells + x);
      return (seen.filter((c) => !c.trail).at(-1) ?? seen[0])?.letter ?? "·";
    });
    return `│${letters.join(" ")}│`;
  });
  const bar = "─".repeat(2 * cells - 1);
  return [`┌${bar}┐`, ...lines, `└${bar}┘`, ...legendLines(channels)].join("\n");
}

/** The legend of the characters, three per line. */
function legendLines(channels: readonly Channel[]): string[] {
  const words = channels.map((c) => `${c.letter} ${c.name}`);
  const lines: string[] = [];
  for (let i = 0; i < words.length; i += 3) lines.push(words.slice(i, i + 3).join("   "));
  return lines;
}

/** A rendering of a screen, with a legend of its colors below. */
export function gamePicture(channels: readonly Channel[], screen: ArrayLike<number>): Rendering {
  const width = cells * edge + 2 * margin;
  const legendTop = cells * edge + 2 * margin;
  const height = legendTop + Math.ceil(channels.length / 3) * 18 + 4;
  const shapes: RenderShape[] = [square([margin, margin], cells * edge, "#21262d")];
  for (let cell = 0; cell < cells * cells; cell++) {
    const at: Point = [margin + (cell % cells) * edge, margin + Math.floor(cell / cells) * edge];
    const seen = thingsIn(channels, screen, cell);
    for (const { color } of seen.filter((c) => !c.trail))
      shapes.push(square([at[0] + 2, at[1] + 2], edge - 4, color));
    for (const { color } of seen.filter((c) => c.trail)) shapes.push(dot(at, color));
  }
  channels.forEach(({ name, color, trail }, i) => {
    const at: Point = [margin + (i % 3) * 108, legendTop + Math.floor(i / 3) * 18];
    if (trail) shapes.push({ kind: "circle", center: [at[0] + 5, at[1] + 4], radius: 3, color });
    else shapes.push(square(at, 9, color));
    shapes.push({ kind: "text", text: name, at: [at[0] + 15, at[1] + 8], size: 7, color: "#c9d1d9" });
  });
  return { width, height, background: "#0d1117", shapes };
}

function thingsIn(channels: readonly Channel[], screen: ArrayLike<number>, cell: number): Channel[] {
  return channels.filter((_, c) => screen[cell * channels.length + c] > 0);
}

const dot = ([x, y]: Point, color: Color): RenderShape => ({
  kind: "circle",
  center: [x + edge / 2, y + edge / 2],
  radius: 5,
  color,
});

const square = ([x, y]: Point, size: number, color: Color): RenderShape => ({
  kind: "polygon",
  points: [
    [x, y],
    [x + size, y],
    [x + size, y + size],
    [x, y + size],
  ],
  color,
});
