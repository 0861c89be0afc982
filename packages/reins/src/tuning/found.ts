import { signals } from "@reins/core";
import { generations, lineOf } from "./population.ts";
import { bestOf, type Plan, type Scored, type Told } from "./search.ts";
import type { SearchName } from "./searches.ts";
import type { Settings } from "./space.ts";

/** The trial that was best at the end. A population has one run of each. */
export const bestTrial = (plan: Plan, told: readonly Told[], method: SearchName): Scored | undefined =>
  bestOf(method === "pbt" ? { ...plan, seeds: [0] } : plan, told);

/** The settings to take: those of the best trial; of a population the course that led to it. */
export function found(plan: Plan, told: readonly Told[], method: SearchName): Settings | undefined {
  const best = bestTrial(plan, told, method);
  if (method !== "pbt" || !best) return best?.settings;
  const line = lineOf(told, best.trial).map((p) => p.settings);
  return Object.fromEntries(plan.space.map(({ name }) => [name, courseOf(line.map((s) => s[name]))]));
}

/** A setting that had these values, one in each generation: steps at their borders. What is no number is as it was at the end. */
function courseOf(values: readonly unknown[]): unknown {
  const last = values.at(-1);
  if (values.every((v) => v === last) || !values.every((v) => typeof v === "number")) return last;
  const points = values.flatMap((v, i): (readonly [number, number])[] => [
    [i / generations, v as number],
    [(i + 1) / generations, v as number],
  ]);
  return signals.piecewise(...points);
}
