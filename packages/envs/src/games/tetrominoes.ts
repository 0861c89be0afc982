import type { Color } from "@reins/core";

/** A piece of four cells in one of its rotations. */
export interface Lying {
  /** Its rows from the top; bit x is the cell x cells from its left. */
  readonly lines: readonly number[];
  readonly width: number;
}

/** The seven pieces, with their distinct rotations, each clockwise from the previous one. */
export interface Tetromino {
  readonly letter: string;
  readonly color: Color;
  readonly lying: readonly Lying[];
}

const upright: readonly (readonly [letter: string, color: Color, ...lines: string[]])[] = [
  ["I", "#54aeff", "####"],
  ["O", "#eac54f", "##", "##"],
  ["T", "#a475f9", ".#.", "###"],
  ["S", "#4ac26b", ".##", "##."],
  ["Z", "#ff8182", "##.", ".##"],
  ["J", "#0969da", "#..", "###"],
  ["L", "#fb8f44", "..#", "###"],
];

const turned = (lines: readonly string[]): string[] =>
  Array.from(lines[0], (_, x) =>
    lines
      .map((line) => line[x])
      .reverse()
      .join(""),
  );

function rotations(lines: readonly string[]): Lying[] {
  const seen = new Set<string>();
  const lying: Lying[] = [];
  for (let now = lines; !seen.has(now.join("/")); now = turned(now)) {
    seen.add(now.join("/"));
    const bits = now.map((line) => [...line].reduce((sum, c, x) => sum + (c === "#" ? 1 << x : 0), 0));
    lying.push({ lines: bits, width: now[0].length });
  }
  return lying;
}

/** All seven: I, O, T, S, Z, J, L. */
export const tetrominoes: readonly Tetromino[] = upright.map(([letter, color, ...lines]) => ({
  letter,
  color,
  lying: rotations(lines),
}));
