import type { Color, Point, Rendering, RenderShape } from "@reins/core";
import { ink, markOf, paper, rectangle } from "./marks.ts";

/** Pixels of a character, and of the margin. */
const cell = { width: 9, height: 18, margin: 12 };

/** Renders lines of text, for environments with text output only. Box-drawing characters and dots become shapes. */
export function textDrawing(text: string): Rendering {
  const lines = text.split("\n");
  const columns = lines.reduce((most, line) => Math.max(most, [...line].length), 1);
  const shapes = lines.flatMap((line, row) =>
    [...line].flatMap((letter, column) =>
      character(letter, [cell.margin + column * cell.width, cell.margin + row * cell.height]),
    ),
  );
  const [width, height] = [columns * cell.width, lines.length * cell.height];
  return { width: width + 2 * cell.margin, height: height + 2 * cell.margin, background: paper, shapes };
}

/** Directions of the lines of box-drawing characters. */
const frames: { readonly [letter: string]: string } = {
  ...{ "─": "lr", "│": "ud", "┌": "rd", "┐": "ld", "└": "ru", "┘": "lu" },
  ...{ "╭": "rd", "╮": "ld", "╰": "ru", "╯": "lu" },
  ...{ "├": "rud", "┤": "lud", "┬": "lrd", "┴": "lru", "┼": "lrud", "┃": "ud", "━": "lr" },
};

function character(letter: string, [x, y]: Point): RenderShape[] {
  if (letter === " ") return [];
  const { width, height } = cell;
  const [cx, cy] = [x + width / 2, y + height / 2];
  const code = letter.codePointAt(0) ?? 0;
  if (code >= 0x2800 && code <= 0x28ff) return braille(code - 0x2800, x, y);
  const sides = frames[letter];
  if (sides !== undefined) {
    const ends: { readonly [side: string]: Point } = {
      l: [x, cy],
      r: [x + width, cy],
      u: [cx, y],
      d: [cx, y + height],
    };
    const thick = "┃━".includes(letter) ? 3 : 1.5;
    return [...sides].map((side) => ({
      kind: "line",
      points: [[cx, cy], ends[side]],
      width: thick,
      color: "#8c959f",
    }));
  }
  const mark = markOf(letter, [cx, cy]);
  if (mark) return mark;
  const shade = shades[letter];
  if (shade) return [{ kind: "polygon", points: rectangle(x, y, width, height), color: shade }];
  return [{ kind: "text", text: letter, at: [x + 1.2, y + 13.5], size: 9.5, color: ink }];
}

const shades: { readonly [letter: string]: Color } = {
  "█": ink,
  "▓": "#7d8590",
  "▒": "#b0b8c0",
  "░": "#d8dee4",
};

/** The dots of a braille cell. Unicode numbers the lowest pair last. */
function braille(bits: number, x: number, y: number): RenderShape[] {
  const places = [0, 1, 2, 4, 5, 6, 3, 7];
  return places.flatMap((place, bit): RenderShape[] => {
    if (!(bits & (1 << bit))) return [];
    const [column, row] = [place >> 2, place & 3];
    const center: Point = [x + (column + 0.5) * (cell.width / 2), y + (row + 0.5) * (cell.height / 4)];
    return [{ kind: "circle", center, radius: 1.9, color: ink }];
  });
}
