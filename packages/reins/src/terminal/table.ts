import { wrap } from "./format.ts";
import { type Ink, pad, plainInk, widthOf } from "./ink.ts";

/**
 * A text table with columns as wide as their content; columns in `right` are right-aligned. If rows exceed `width`, the last column is
 * wrapped; if it would be too narrow, the columns in `spare` are dropped, in this order.
 */
export function table(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
  options: { ink?: Ink; right?: readonly number[]; width?: number; spare?: readonly number[] } = {},
): string[] {
  const { ink = plainInk, right = [], width = Number.POSITIVE_INFINITY, spare = [] } = options;
  const widths = heading.map((h, i) =>
    rows.reduce((most, r) => Math.max(most, widthOf(r[i] ?? "")), widthOf(h)),
  );
  /** Width of all columns but the last. */
  const margin = (columns: readonly number[]) =>
    columns.slice(0, -1).reduce((sum, i) => sum + widths[i] + 2, 0);
  const isNarrow = (columns: readonly number[]) =>
    width - margin(columns) < Math.min(40, widths[columns[columns.length - 1]]);
  let shown = heading.map((_, i) => i);
  for (const i of spare) if (isNarrow(shown)) shown = shown.filter((own) => own !== i);
  const last = shown[shown.length - 1];
  const before = margin(shown);
  // Too narrow to wrap: the terminal breaks the line.
  const room = width - before >= 20 ? width - before : Number.POSITIVE_INFINITY;
  const cell = (text: string, i: number) =>
    right.includes(i) ? " ".repeat(widths[i] - widthOf(text)) + text : pad(text, widths[i]);
  const line = (cells: readonly string[]) => {
    const [first = "", ...more] =
      widthOf(cells[last] ?? "") > room ? wrap(cells[last], room) : [cells[last] ?? ""];
    const fixed = shown.slice(0, -1).map((i) => cell(cells[i] ?? "", i));
    const end = room < widths[last] ? first : cell(first, last);
    return [[...fixed, end].join("  ").trimEnd(), ...more.map((text) => " ".repeat(before) + text)];
  };
  const [head, ...deeper] = line(heading);
  return [ink.dim(head), ...deeper, ...rows.flatMap(line)];
}

/** A Markdown table. */
export function markdownTable(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(heading), line(heading.map(() => "---")), ...rows.map(line)].join("\n");
}
