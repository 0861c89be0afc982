import { type AlgorithmContext, fail, type ResolvedOptions } from "@reins/core";
import { goalHindsight, nStep, type ReplayRecord } from "@reins/core/replay";
import type { LiveValue } from "@reins/core/settings";
import type { hindsight } from "../options.ts";

/** The replay settings of a method. */
export type ReplayRecordOptions = ResolvedOptions<typeof hindsight> & {
  readonly gamma: LiveValue;
  readonly nStep: number;
};

/** The replay record of the method of this name: n-step transitions, or single steps with hindsight goals. */
export function recordOf(
  name: string,
  { hindsight, hindsightGoals: strategy, gamma, nStep: steps }: ReplayRecordOptions,
  { spec, seed }: Pick<AlgorithmContext, "spec" | "seed">,
): ReplayRecord {
  if (hindsight === 0) return nStep({ steps, gamma });
  if (steps > 1)
    fail(name, `hindsight needs single steps, but nStep is ${steps}. Set nStep to 1, or hindsight to 0.`);
  return goalHindsight(name, spec, { relabels: hindsight, strategy, gamma, seed });
}
