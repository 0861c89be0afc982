import * as signals from "@reins/core/signals";
import { generations, lineageOf } from "./population.ts";
import { bestOf, type PieceResult, type ScoredTrial, type SearchPlan } from "./search.ts";
import type { SearchName } from "./searches.ts";
import type { Settings } from "./space.ts";

/** The trial with the best final score. A population has one seed per trial. */
export const bestTrial = (
  plan: SearchPlan,
  results: readonly PieceResult[],
  method: SearchName,
): ScoredTrial | undefined => bestOf(method === "pbt" ? { ...plan, seeds: [0] } : plan, results);

/**
 * The settings of the best trial; for a population, the schedule of its lineage. Options that are fixed for a run keep their last value.
 */
export function bestSettings(
  plan: SearchPlan,
  results: readonly PieceResult[],
  method: SearchName,
): Settings | undefined {
  const best = bestTrial(plan, results, method);
  if (method !== "pbt" || !best) return best?.settings;
  const line = lineageOf(results, best.trial).map((p) => p.settings);
  return Object.fromEntries(
    plan.space.map(({ name, fixed }) => [
      name,
      fixed ? line.at(-1)?.[name] : scheduleOf(line.map((s) => s[name])),
    ]),
  );
}

/** A piecewise constant schedule of the values of each generation. Settings that are not numbers keep their last value. */
function scheduleOf(values: readonly unknown[]): unknown {
  const last = values.at(-1);
  if (values.every((v) => v === last) || !values.every((v) => typeof v === "number")) return last;
  const points = values.flatMap((v, i): (readonly [number, number])[] => [
    [i / generations, v as number],
    [(i + 1) / generations, v as number],
  ]);
  return signals.piecewise(...points);
}
