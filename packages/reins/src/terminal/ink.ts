/** How to draw with what a terminal has. */
export interface Ink {
  bold(text: string): string;
  dim(text: string): string;
  /** One of a few colours that can be told apart, counted from 0. */
  color(index: number, text: string): string;
}

type Rgb = readonly [number, number, number];

/** Colours that are told apart on light and dark ground, also by those who see few of them (after Okabe and Ito). */
export const palette: readonly Rgb[] = [
  [86, 160, 233],
  [230, 140, 20],
  [30, 170, 120],
  [214, 100, 160],
  [200, 180, 40],
  [213, 84, 20],
];
/** The same in the numbers that terminals with 256 colours know, and with 16. */
const numbered = [75, 208, 36, 169, 178, 166];
const basic = [36, 33, 32, 35, 93, 31];

/** Ink for a terminal that shows `bits` bits of colour: 24, 8, 4, or fewer, which is plain text. */
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

/** How many characters a text takes on the screen: codes of colours take none. */
export const widthOf = (text: string): number => [...text.replace(codes, "")].length;
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what colours are made of.
const codes = /\x1b\[[0-9;]*m/g;

/** Fills up with spaces to a width on the screen. */
export const pad = (text: string, width: number): string =>
  text + " ".repeat(Math.max(0, width - widthOf(text)));
