import { countsOf, type Result } from "./campaign-runner.ts";

/** The results of several campaigns, one line each. */
export function table(results: readonly Result[]): string {
  const rows = results.map((r) => [
    r.campaign,
    `${r.trials}`,
    countsOf(r.counts),
    `${r.findings.length}`,
    `${Math.round(r.seconds)} s`,
    `${r.seed}`,
  ]);
  const all = [["campaign", "trials", "counted", "findings", "time", "seed"], ...rows];
  const widths = all[0].map((_, i) => Math.max(...all.map((row) => row[i].length)));
  return all
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i]))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
