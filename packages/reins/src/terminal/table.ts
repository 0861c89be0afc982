import { type Ink, pad, plainInk, widthOf } from "./ink.ts";
import { wrap } from "./words.ts";

/**
 * Rows of cells under a heading, in columns as wide as they must be. Numbers stand to the right where `right` says so. Where rows are
 * longer than a `width` that is given, the last column goes on in further lines; where it would be narrow, columns are left out that can be
 * spared (`spare`, in this order).
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
  /** What all columns but the last take. */
  const margin = (columns: readonly number[]) =>
    columns.slice(0, -1).reduce((sum, i) => sum + widths[i] + 2, 0);
  const isNarrow = (columns: readonly number[]) =>
    width - margin(columns) < Math.min(40, widths[columns[columns.length - 1]]);
  let shown = heading.map((_, i) => i);
  for (const i of spare) if (isNarrow(shown)) shown = shown.filter((own) => own !== i);
  const last = shown[shown.length - 1];
  const before = margin(shown);
  // Too narrow for words: a terminal breaks the line where it likes.
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

/** The same as Markdown. */
export function markdownTable(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(heading), line(heading.map(() => "---")), ...rows.map(line)].join("\n");
}
