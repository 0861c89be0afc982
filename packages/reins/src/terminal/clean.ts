import { printable } from "@reins/core/errors";

/** Escape codes of colours, bold and inversion, which output and renderings of environments use. */
const style =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches escape codes
  /(\x1b\[(?:[0127]|2[27]|[34][0-79]|9[0-7]|10[0-7]|[34]8;5;\d{1,3}|[34]8;2;\d{1,3};\d{1,3};\d{1,3})m)/;

/**
 * A line that is safe to write to a terminal. Names, notes and texts come from untrusted files, so control characters are shown as their
 * codes; only colours pass, and only if the output has colours.
 */
export const cleaned = (line: string, colours: boolean): string =>
  line
    .split(style)
    .map((part, i) => (i % 2 === 0 ? printable(part) : colours ? part : ""))
    .join("");
