/** Text styles of a terminal. */
export interface Ink {
  bold(text: string): string;
  dim(text: string): string;
  /** One of a few distinct colours, counted from 0. */
  color(index: number, text: string): string;
}

type Rgb = readonly [number, number, number];

/** Colours that are distinct on light and dark backgrounds and for colour-blind readers (after Okabe and Ito). */
export const palette: readonly Rgb[] = [
  [86, 160, 233],
  [230, 140, 20],
  [30, 170, 120],
  [214, 100, 160],
  [200, 180, 40],
  [213, 84, 20],
];
/** The palette in 256 and in 16 colours. */
const numbered = [75, 208, 36, 169, 178, 166];
const basic = [36, 33, 32, 35, 93, 31];

/** Ink for a terminal with `bits` bits of colour: 24, 8 or 4; plain text with fewer. */
export function inkFor(bits: number): Ink {
  if (bits < 4) return plainInk;
  const code = (i: number) =>
    bits >= 24 ? `38;2;${palette[i].join(";")}` : bits >= 8 ? `38;5;${numbered[i]}` : String(basic[i]);
  return {
    bold: (text) => `\x1b[1m${text}\x1b[0m`,
    dim: (text) => `\x1b[2m${text}\x1b[0m`,
    color: (index, text) => `\x1b[${code(index % palette.length)}m${text}\x1b[0m`,
  };
}

/** Text without any colour: files, pipes, NO_COLOR. */
export const plainInk: Ink = { bold: (text) => text, dim: (text) => text, color: (_, text) => text };

/** Width of a text on the screen, without escape codes. */
export const widthOf = (text: string): number => [...text.replace(codes, "")].length;
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches escape codes.
const codes = /\x1b\[[0-9;]*m/g;

/** Pads with spaces to a width on the screen. */
export const pad = (text: string, width: number): string =>
  text + " ".repeat(Math.max(0, width - widthOf(text)));
