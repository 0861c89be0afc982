import type { WriteStream } from "node:tty";
import { cleaned } from "./clean.ts";
import { type Ink, inkFor, plainInk } from "./ink.ts";

/** Where a command writes to. */
export type Output = { write(text: string): unknown } & Partial<
  Pick<WriteStream, "isTTY" | "columns" | "rows" | "getColorDepth" | "on" | "off">
>;

/** What a command finds around it. Tests pass one that remembers. */
export interface Io {
  readonly out: Output;
  readonly err: Output;
}

/** Ink that fits an output: colours for terminals, plain text for files, pipes and those who set NO_COLOR. */
export function inkOf(output: Output): Ink {
  if (!output.isTTY || process.env.NO_COLOR) return plainInk;
  return inkFor(output.getColorDepth?.() ?? 1);
}

/** Characters in a line of text: as many as a terminal has, but no more than can be read; 100 in files and pipes. */
export const widthFor = ({ isTTY, columns }: Output): number =>
  isTTY && columns ? Math.max(40, Math.min(columns, 120)) : 100;

/** Characters in a line of a table: a file or a pipe has all of it in one line, for who searches there. */
export const tableWidth = ({ isTTY, columns }: Output): number | undefined => (isTTY ? columns : undefined);

/** Whether colours are written to an output. */
const hasColours = (output: Output): boolean => inkOf(output) !== plainInk;

/** Text as it may be written to an output: control characters that came from files are shown and not carried out. */
export const shownOn = (output: Output, text: string): string => cleaned(text, hasColours(output));

/** Writes lines. */
export function print(output: Output, ...lines: readonly string[]): void {
  output.write(`${shownOn(output, lines.join("\n"))}\n`);
}
