import { didYouMean } from "@reins/core";
import { type Recipe, sidesOf } from "@reins/recipes";
import { effectText, type Result, stateOf } from "@reins/recipes/book";
import { misuse } from "../../cli/usage.ts";
import { type Io, inkOf, print } from "../../terminal/io.ts";
import { table } from "../../terminal/table.ts";
import { short, time, wrap } from "../../terminal/words.ts";
import type { RecipeFlags } from "./flags.ts";
import { readRows } from "./list.ts";

/** `reins recipes show` */
export async function show(id: string, flags: RecipeFlags, io: Io): Promise<number> {
  const { rows } = await readRows(flags);
  const row = rows.find((r) => r.system.id === id);
  if (!row)
    return misuse(
      `there is no system ${id}.${didYouMean(
        id,
        rows.map((r) => r.system.id),
      )}`,
    );
  const { entry, result, stale } = row;
  if (flags.json) {
    print(io.out, JSON.stringify({ ...row.system, state: stateOf(row), stale, result }));
    return 0;
  }
  const ink = inkOf(io.out);
  print(io.out, ink.bold(id), row.system.title, "");
  if (!entry) {
    print(io.out, "It has no recipe yet. docs/recipes.md says how to write one.");
    return 0;
  }
  print(io.out, ...wrap(entry.about, 100), "");
  if (entry.kind === "mapped") {
    print(io.out, `Covered by ${entry.covers.join(", ")}.`);
    return 0;
  }
  print(io.out, ...aboutLines(entry), "");
  if (!result) print(io.out, `It was not run yet: reins recipes run ${id}.`);
  else print(io.out, ...resultLines(result, stale));
  return 0;
}

function aboutLines(r: Recipe): string[] {
  const row = (what: string, text: string) => `${what.padEnd(12)}${text}`;
  const grid = Object.entries(r.grid).map(([k, v]) => `${k} ${v.join(", ")}`);
  return [
    row("compares", `${r.system.name} with ${r.baseline.name}`),
    row("claim", claimText(r)),
    row("budget", `${short(r.budget.full)} ${r.budget.unit} a run`),
    row("tuned over", grid.join("; ") || "nothing"),
    ...(r.ablations?.length
      ? [
          row(
            "ablations",
            sidesOf(r)
              .slice(2)
              .map((s) => s.name)
              .join(", "),
          ),
        ]
      : []),
    "Deviations",
    ...r.deviations.flatMap((d) => wrap(d, 96).map((line, i) => (i ? `    ${line}` : `  · ${line}`))),
  ];
}

function claimText({ claim, metric }: Recipe): string {
  const direction = "direction" in claim && claim.direction ? claim.direction : metric.better;
  switch (claim.kind) {
    case "difference":
      return `${metric.name} ${direction}, by ${claim.smallest} at least`;
    case "ratio":
      return `${metric.name} ${direction}, ${claim.smallest} times at least`;
    case "no-worse":
      return `${metric.name} not worse by ${claim.margin}`;
    case "slope":
      return `slope of ${metric.name} ${direction}, by ${claim.smallest} at least`;
    case "holds":
      return `${metric.name} at most ${claim.tolerance}`;
    case "certificate":
      return `${metric.name} never below its certificate, which is above the baseline's by ${claim.smallest} at least`;
  }
}

/** A result as people read it. */
export function resultLines(result: Result, stale: boolean): string[] {
  const { sides, firstSeed, seeds, wallSeconds, processorSeconds } = result;
  const mean = (v: readonly number[]) => v.reduce((a, b) => a + b, 0) / v.length;
  const settings = (s: object) =>
    Object.entries(s)
      .map(([k, v]) => `${k} ${v}`)
      .join(", ");
  const rows = sides.map((s) => [
    s.name,
    short(mean(s.values)),
    s.values.map(short).join(" "),
    settings(s.settings),
  ]);
  const also = sides.flatMap((s) =>
    Object.entries(s.also ?? {}).map(([k, v]) => `  ${s.name}: ${k} ${short(v)}`),
  );
  const again = (result.again ?? []).map(
    (a) =>
      `Seeds ${a.firstSeed} to ${a.firstSeed + a.seeds - 1}: ${a.verdict} (${short(a.estimate)}, ${short(a.low)} to ${short(a.high)})`,
  );
  return [
    `${result.verdict}${stale ? " (stale: the code has changed since)" : ""}: ${effectText(result)}`,
    ...(result.reason ? wrap(`Why: ${result.reason}`, 100) : []),
    "",
    ...table(
      ["side", result.metric.name, `seeds ${firstSeed} to ${firstSeed + seeds - 1}`, "settings"],
      rows,
    ),
    ...(also.length ? ["", "Also measured, on average", ...also] : []),
    ...(again.length ? ["", ...again] : []),
    "",
    `Took ${time(wallSeconds)} (${time(processorSeconds)} of one core).`,
  ];
}
