import { fail } from "@reins/core";
import { type Claim, kindOf, simplesOf, sizeOf } from "./claims/claim.ts";
import { pointsOf } from "./grid.ts";
import type { Metric } from "./outcome.ts";
import type { Recipe } from "./recipe.ts";

/** Seeds from 50 to 99 are for tuning; from 100 on they are for evaluation. */
const mostTuningSeeds = 50;

/** Throws for a recipe that cannot be measured, or whose verdict would be meaningless. */
export function checkRecipe(r: Recipe): void {
  const where = `recipe ${r.id}`;
  const sides = [r.system, ...r.baselines, ...(r.ablations ?? [])];
  const names = sides.map((s) => s.name);
  if (new Set(names).size < names.length || names.some((n) => n === "best" || n === "each"))
    fail(where, `arms must have distinct names other than best and each, but are ${names.join(", ")}.`);
  if (r.deviations.length === 0) fail(where, "it has no deviations. List how it differs from the paper.");
  for (const [name, metric] of Object.entries(r.metrics))
    if (!Number.isFinite(metric.worst))
      fail(where, `metrics.${name}.worst is ${metric.worst}; it must be a finite number.`);
  for (const budget of [r.budget, ...sides.flatMap((s) => s.budget ?? [])])
    if (!(budget.full > 0 && budget.quick > 0)) fail(where, "budgets must be above 0.");
  checkGrids(r, where);
  checkSeeds(r, where);
  if (r.claims.length === 0) fail(where, "it has no claims. Add at least one.");
  for (const [i, claim] of r.claims.entries()) checkClaim(r, claim, `${where}, claim ${i + 1}`);
}

function checkSeeds({ tuningSeeds = 3, minutes = 20, replicates }: Recipe, where: string): void {
  const isCount = (n: number) => Number.isInteger(n) && n > 0;
  if (!isCount(tuningSeeds) || tuningSeeds > mostTuningSeeds)
    fail(
      where,
      `tuningSeeds is ${tuningSeeds}; it must be from 1 to ${mostTuningSeeds}, because seeds from 100 on are for evaluation.`,
    );
  if (!(minutes >= 0)) fail(where, `minutes is ${minutes}; it must be a number from 0.`);
  if (typeof replicates !== "object") return;
  const { names, seeds } = replicates;
  if (names.length < 2 || new Set(names).size < names.length)
    fail(where, `a suite needs several distinct names, but has ${names.join(", ") || "none"}.`);
  if (!isCount(seeds) || seeds > 1000) fail(where, `a suite needs 1 to 1000 seeds, not ${seeds}.`);
}

function checkGrids(r: Recipe, where: string): void {
  const counts = [r.system, ...r.baselines.filter((b) => !r.on?.arms.includes(b.name))].map(
    ({ name, grid = r.grid ?? {} }) => {
      for (const [setting, values] of Object.entries(grid)) {
        if (values.length === 0) fail(where, `the grid has no value for ${setting}. Add at least one.`);
        if (new Set(values).size < values.length || values.some(Number.isNaN))
          fail(where, `the grid of ${setting} (${values.join(", ")}) must have distinct values.`);
        const [low, high] = r.limits?.[setting] ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
        const out = values.find((v) => typeof v === "number" && (v < low || v > high));
        if (out !== undefined) fail(where, `${setting} ${out} is outside of its limits, ${low} to ${high}.`);
        // A difference could leave the valid range of the setting, which only the recipe knows.
        if (
          values.length > 1 &&
          values.every((v) => typeof v === "number") &&
          values.some((v) => (v as number) <= 0)
        )
          if (!r.limits?.[setting])
            fail(
              where,
              `the grid of ${setting} cannot be extended by a ratio. Set its limits: limits: { ${setting}: [lowest, highest] }.`,
            );
      }
      return { name, points: pointsOf(grid).length };
    },
  );
  const odd = counts.find((c) => c.points !== counts[0].points);
  if (odd)
    fail(
      where,
      `${counts[0].name} is tuned over ${counts[0].points} points, but ${odd.name} over ${odd.points}. Give every arm the same number.`,
    );
  if (r.tuneOn && !r.metrics[r.tuneOn]) fail(where, `tuneOn is ${r.tuneOn}, which is not a metric.`);
}

function checkClaim(r: Recipe, claim: Claim, where: string): void {
  if (!claim.because) fail(where, "because is missing. Explain why this size is relevant.");
  const tuned = [r.system, ...r.baselines].map((s) => s.name);
  const all = [...tuned, ...(r.ablations ?? []).map((s) => s.name)];
  const known = (name: string, among: readonly string[], hint: string) => {
    if (!among.includes(name)) fail(where, `${name} ${hint}: ${among.join(", ")}.`);
  };
  if (simplesOf(claim).length === 0) fail(where, "a joint claim has no parts. Add at least one.");
  for (const simple of simplesOf(claim)) {
    for (const name of [simple.metric].flat())
      known(name, Object.keys(r.metrics), "is not a metric. Metrics");
    const [size, least] = [sizeOf(simple), simple.kind === "ratio" ? 1 : 0];
    if (size !== undefined && !(size > least)) fail(where, `the size is ${size}; it must be above ${least}.`);
    if ("sides" in simple && simple.sides.length < 2) fail(where, "it compares arms. Name at least two.");
    if ("of" in simple) for (const name of [simple.of ?? []].flat()) known(name, all, "is not an arm. Arms");
    if ("sides" in simple) for (const side of simple.sides) known(side, all, "is not an arm. Arms");
    if (!comparing.has(kindOf(simple))) continue;
    const [first, second] = ("contrast" in simple && simple.contrast) || [r.system.name, "best"];
    known(first, all, "is not an arm. Arms");
    if ((second === "best" || second === "each") && r.baselines.length === 0)
      fail(where, "there is no baseline to compare with. Add baselines to the recipe.");
    else if (second !== "best" && second !== "each")
      known(second, tuned, "is not tuned, so claims against it are invalid. Tuned arms");
    if (simple.kind === "time-to-reach") checkTime(r.metrics[simple.metric], where);
  }
  if (r.exact && simplesOf(claim).some((c) => c.kind !== "holds"))
    fail(where, "an exact recipe supports claims of kind holds only.");
}

const comparing = new Set(["difference", "ratio", "no-worse", "interaction", "time-to-reach"]);

function checkTime(metric: Metric, where: string): void {
  if (metric.better !== "lower") fail(where, "the metric of a time to reach must have better: lower.");
}
