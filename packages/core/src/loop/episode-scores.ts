import { cast, compile, sum, type Tensor, type Tree, where } from "@reins/tensor";
import { type Columns, pack } from "../batch.ts";
import type { Episode } from "../episode.ts";
import type { ActionScores, ScoringPolicy } from "../policy.ts";
import { recordedStep } from "../recorded-step.ts";
import { inRows, inSteps, type Makers } from "./episode-columns.ts";

/** Measures per step, by name, from the scores and the columns of a batch. */
type Measures = (scored: ActionScores, columns: Columns) => { readonly [name: string]: Tensor };

/** Episodes scored per call: few enough that the activations of long texts fit into memory. */
const chunk = 16;

/**
 * Scores recorded episodes without training on them: the means of some measures over all steps that `from` made. It uses no random
 * numbers, so training is the same with and without it.
 */
export function episodeScores(
  policy: ScoringPolicy,
  from: Makers,
  measures: Measures,
): (weights: Tree, episodes: readonly Episode[]) => { readonly [name: string]: number } {
  const arrange = policy.memory ? inRows : inSteps;
  const sums = compile(
    (weights: Tree, columns: Columns, start: Tree) => {
      const measured = measures(policy.score(weights, recordedStep(columns, start)), columns);
      const alive = columns.alive as Tensor;
      const totals = Object.entries(measured).map(([name, x]) => [name, sum(where(alive, x, 0))]);
      return {
        totals: Object.fromEntries(totals) as { [name: string]: Tensor },
        count: sum(cast(alive, "f32")),
      };
    },
    { name: "scores of episodes", host: true },
  );
  return (weights, episodes) => {
    const totals: Record<string, number> = {};
    let steps = 0;
    for (let at = 0; at < episodes.length; at += chunk) {
      const some = episodes.slice(at, at + chunk);
      const { columns } = arrange(pack(policy.alikeTraces?.(some) ?? some), {}, { from, episodes: some });
      const start = policy.memory ? (policy.start?.((columns.alive as Tensor).shape[1]) ?? {}) : {};
      const found = sums(weights, columns, start);
      for (const [name, total] of Object.entries(found.totals))
        totals[name] = (totals[name] ?? 0) + total.item();
      steps += found.count.item();
    }
    return Object.fromEntries(
      Object.entries(totals).map(([name, total]) => [name, total / Math.max(1, steps)]),
    );
  };
}
