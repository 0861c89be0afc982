import { type Ink, pad, plainInk, widthOf } from "./ink.ts";

/** Rows of cells under a heading, in columns as wide as they must be. Numbers stand to the right where `right` says so. */
export function table(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
  options: { ink?: Ink; right?: readonly number[] } = {},
): string[] {
  const { ink = plainInk, right = [] } = options;
  const widths = heading.map((h, i) =>
    rows.reduce((most, r) => Math.max(most, widthOf(r[i] ?? "")), widthOf(h)),
  );
  const cell = (text: string, i: number) =>
    right.includes(i) ? " ".repeat(widths[i] - widthOf(text)) + text : pad(text, widths[i]);
  const line = (cells: readonly string[]) =>
    heading
      .map((_, i) => cell(cells[i] ?? "", i))
      .join("  ")
      .trimEnd();
  return [ink.dim(line(heading)), ...rows.map(line)];
}

/** The same as Markdown. */
export function markdownTable(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(heading), line(heading.map(() => "---")), ...rows.map(line)].join("\n");
}
