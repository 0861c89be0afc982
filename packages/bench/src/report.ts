import type { Result, Spread } from "./result.ts";

const number = (x: number) => (Math.abs(x) >= 1000 ? x.toFixed(0) : x.toPrecision(3));
const measured = (x: number | null, spread: Spread | null) =>
  x === null ? "-" : `${number(x)} (${spread!.map(number).join("–")})`;

export const header = row([
  "benchmark",
  "backend",
  "thr",
  "ours (quartiles)",
  "peer (quartiles)",
  "unit",
  "ratio",
  "floor",
  "",
]);

function row(cells: readonly string[]): string {
  const widths = [24, 9, 3, 24, 24, 8, 7, 6, 6];
  return cells
    .map((cell, i) => (i === 2 || i === 6 || i === 7 ? cell.padStart(widths[i]) : cell.padEnd(widths[i])))
    .join("  ")
    .trimEnd();
}

/** One line of the table, with further lines for shares of time and the note. */
export function describeResult(r: Result): string {
  const bound = r.floor === null ? "" : r.peerName === null ? `≤${r.floor}` : `≥${r.floor}`;
  const line = row([
    r.name,
    r.backend,
    String(r.threads),
    measured(r.ours, r.spread.ours),
    measured(r.peer, r.spread.peer),
    r.unit,
    r.ratio === null ? "-" : number(r.ratio),
    bound,
    r.met === null ? "" : r.met ? "met" : "MISSED",
  ]);
  const parts = Object.entries(r.parts ?? {}).map(
    ([name, { value, spread }]) => `${name} ${measured(value, spread)} %`,
  );
  return [line, parts.join(", "), r.note].filter(Boolean).join("\n    ");
}

/** The number of floors met. */
export function describeTotal(results: readonly Result[]): string {
  const judged = results.filter((r) => r.met !== null);
  const open = results.filter((r) => r.met === null && r.floor !== null).length;
  return `${judged.filter((r) => r.met).length} of ${judged.length} floors met${open ? `; ${open} not measured` : ""}.`;
}
