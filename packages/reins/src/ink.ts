/** One pixel: how sure the network is of class 1, from 0 to 1, and the class of the point drawn there, if there is one. */
export interface Pixel {
  readonly value: number;
  readonly mark: number | undefined;
}

/** A character with its colours; undefined leaves those of the terminal. */
export interface Cell {
  readonly text: string;
  readonly colors?: string;
}

/** How to draw with what a terminal has. */
export interface Ink {
  /** Two pixels, one above the other, in one character. */
  cell(top: Pixel, bottom: Pixel): Cell;
  /** Cells side by side. */
  line(cells: readonly Cell[]): string;
  bold(text: string): string;
  dim(text: string): string;
}

type Rgb = readonly [number, number, number];

/** From class 0 over undecided to class 1. */
const scale: readonly Rgb[] = [
  [18, 84, 166],
  [52, 110, 170],
  [72, 74, 84],
  [190, 120, 56],
  [208, 96, 16],
];
const marks: readonly Rgb[] = [
  [178, 220, 255],
  [255, 226, 150],
];

/** The colour of a value from 0 to 1. */
export function colorOf(value: number): Rgb {
  const at = Math.min(1, Math.max(0, value)) * (scale.length - 1);
  const i = Math.min(scale.length - 2, Math.floor(at));
  const mix = (k: 0 | 1 | 2) => Math.round(scale[i][k] + (scale[i + 1][k] - scale[i][k]) * (at - i));
  return [mix(0), mix(1), mix(2)];
}

/** The same in the numbers that terminals with 256 colours know. Chosen by hand: their nearest colours in between are green and violet. */
const numbered = [25, 67, 60, 240, 95, 137, 172, 166];
const numberedMarks = [153, 222];

/** The number of the colour of a value from 0 to 1. */
export function colorNumber(value: number): number {
  return numbered[Math.min(numbered.length - 1, Math.max(0, Math.floor(value * numbered.length)))];
}

/** Ink for a terminal that shows `bits` bits of colour: 24, 8, or fewer, which is drawn with characters only. */
export function inkFor(bits: number): Ink {
  return bits >= 8 ? coloredInk(bits >= 24) : plainInk;
}

function coloredInk(full: boolean): Ink {
  const exact = (p: Pixel) => `2;${(p.mark === undefined ? colorOf(p.value) : marks[p.mark]).join(";")}`;
  const near = (p: Pixel) => `5;${p.mark === undefined ? colorNumber(p.value) : numberedMarks[p.mark]}`;
  const paint = full ? exact : near;
  return {
    cell: (top, bottom) => ({ text: "▀", colors: `38;${paint(top)};48;${paint(bottom)}` }),
    line(cells) {
      let out = "";
      let colors: string | undefined;
      // A code only where something changes: a frame is drawn ten times a second.
      for (const cell of cells) {
        if (cell.colors !== colors) out += `\x1b[${cell.colors}m`;
        colors = cell.colors;
        out += cell.text;
      }
      return `${out}\x1b[0m`;
    },
    bold: (text) => `\x1b[1m${text}\x1b[0m`,
    dim: (text) => `\x1b[2m${text}\x1b[0m`,
  };
}

const shades = [" ", "░", "▒", "▓", "█"];

const plainInk: Ink = {
  cell(top, bottom) {
    const mark = top.mark ?? bottom.mark;
    const value = Math.min(1, Math.max(0, (top.value + bottom.value) / 2));
    return { text: mark === undefined ? shades[Math.round(value * (shades.length - 1))] : mark ? "●" : "○" };
  },
  line: (cells) => cells.map((c) => c.text).join(""),
  bold: (text) => text,
  dim: (text) => text,
};
