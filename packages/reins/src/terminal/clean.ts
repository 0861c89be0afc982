import { printable } from "@reins/core";

/** Colours, weights and inversion: what our own text is drawn with, and what environments draw their renderings with. */
const style =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what colours are made of
  /(\x1b\[(?:[0127]|2[27]|[34][0-79]|9[0-7]|10[0-7]|[34]8;5;\d{1,3}|[34]8;2;\d{1,3};\d{1,3};\d{1,3})m)/;

/**
 * A line as it may be written to a terminal. Names, notes and texts come from files that anyone may have written, so every control character
 * is shown as its code; only colours pass, and only where the output has colours.
 */
export const cleaned = (line: string, colours: boolean): string =>
  line
    .split(style)
    .map((part, i) => (i % 2 === 0 ? printable(part) : colours ? part : ""))
    .join("");
