import type { WriteStream } from "node:tty";
import { cleaned } from "./clean.ts";
import { type Ink, inkFor, plainInk } from "./ink.ts";

/** An output stream of a command. */
export type Output = { write(text: string): unknown } & Partial<
  Pick<WriteStream, "isTTY" | "columns" | "rows" | "getColorDepth" | "on" | "off">
>;

/** The output streams of a command. Tests pass their own. */
export interface Io {
  readonly out: Output;
  readonly err: Output;
}

/** Ink for an output: colours in terminals, plain text in files and pipes and with NO_COLOR. */
export function inkOf(output: Output): Ink {
  if (!output.isTTY || process.env.NO_COLOR) return plainInk;
  return inkFor(output.getColorDepth?.() ?? 1);
}

/** Width of text in characters: that of the terminal, within 40 to 120; 100 in files and pipes. */
export const widthFor = ({ isTTY, columns }: Output): number =>
  isTTY && columns ? Math.max(40, Math.min(columns, 120)) : 100;

/** Width of tables in characters; undefined in files and pipes, whose rows are not wrapped so that they can be searched. */
export const tableWidth = ({ isTTY, columns }: Output): number | undefined => (isTTY ? columns : undefined);

/** Whether colours are written to an output. */
const hasColours = (output: Output): boolean => inkOf(output) !== plainInk;

/** Text that is safe to write to an output: control characters are shown as their codes. */
export const shownOn = (output: Output, text: string): string => cleaned(text, hasColours(output));

/** Writes lines. */
export function print(output: Output, ...lines: readonly string[]): void {
  output.write(`${shownOn(output, lines.join("\n"))}\n`);
}
