import type { ActionScores, Columns } from "@reins/core";
import type { SettingValue } from "@reins/core/settings";
import * as targets from "@reins/core/targets";
import { type Tensor, zerosLike } from "@reins/tensor";

/** Cumulative future KL penalty from each step on. */
export function divergenceToCome(columns: Columns, scored: ActionScores, weight: SettingValue): Tensor {
  const nothing = zerosLike(scored.logProb);
  const reward = targets.klPenalisedRewards(
    { ...columns, reward: nothing },
    scored.logProb,
    scored.extra!.reference,
    weight,
  );
  return targets.textGae({ gamma: 1, lambda: 1 })({ ...columns, reward, value: nothing }).advantage;
}
