import { makers } from "@reins/core/episodes";
import type { EpisodicParts } from "@reins/core/loops";
import { defaultRng, stream } from "@reins/core/random";
import * as targets from "@reins/core/targets";
import type { PromptSet } from "@reins/recipes/language";
import type { Tensor } from "@reins/tensor";

const policy = makers.indexOf("policy");

/** Number of tokens of each answer that are trained on: all of them, answer by answer in the given order, until the budget is used up. */
export function withinBudget(lengths: readonly number[], order: ArrayLike<number>, budget: number): number[] {
  const kept = lengths.map(() => 0);
  let left = budget;
  for (const i of Array.from(order)) {
    kept[i] = Math.min(lengths[i], left);
    left -= kept[i];
  }
  return kept;
}

/** Settings of {@link c3po}. */
export interface C3poOptions {
  /** Number of tokens of an update. */
  readonly budget: number;
  /** Whether tokens beyond the budget are left out. */
  readonly selects: boolean;
}

/** Group-relative advantages of as many tokens as the budget has; the loss is their sum over the budget, whatever the batch has. */
export const c3po =
  ({ budget, selects }: C3poOptions) =>
  ({ all = [] }: Partial<PromptSet>): Pick<EpisodicParts, "target"> => {
    const random = defaultRng(stream(all[0]?.seed ?? 0, "c3po"));
    return {
      target(batch, rewards) {
        const each = targets.groupRelative(rewards, targets.groupsOf(batch));
        const advantage = targets.spread(each, batch);
        const answers = targets.spread(
          each.map((_, e) => e),
          batch,
        );
        const by = (batch.columns.by as Tensor).data;
        const lengths = Array.from(each, () => 0);
        // The number of each own step within its answer, from 0.
        const place = Array.from(answers, (e, i) => (by[i] === policy ? lengths[e]++ : Infinity));
        const total = lengths.reduce((a, b) => a + b, 0);
        const kept = selects ? withinBudget(lengths, random.permutation(lengths.length), budget) : lengths;
        // The learner takes the mean over all tokens of the batch.
        return {
          advantage: advantage.map((a, i) => (place[i] < kept[answers[i]] ? (a * total) / budget : 0)),
        };
      },
    };
  };
