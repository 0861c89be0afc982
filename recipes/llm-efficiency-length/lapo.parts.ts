import type { EnvContext, Task } from "@reins/core";
import { verifier } from "@reins/language";
import { type Answer, byLength, type LengthReward } from "../shared/length-rewards.ts";
import { budgets, lengthsTask, tokens } from "../testbeds/lengths.ts";

/** The value below which a share of the sorted values lies, interpolated linearly. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = share * (sorted.length - 1);
  const low = Math.floor(at);
  return sorted[low] + (at - low) * ((sorted[low + 1] ?? sorted[low]) - sorted[low]);
}

const rightLengths = (group: readonly Answer[]) => group.filter((a) => a.right).map((a) => a.length);

/** Distance from the range at which the reward for length ends, and deviation of the reward for a plan, in tokens. */
const [margin, sigma] = [4, 2];

/** Stage 1: a correct answer has 1, and 0.7 more if its length is between the 30th and 70th percentile of the correct ones; less outside. */
export function discovery(group: readonly Answer[]): number[] {
  const lengths = rightLengths(group);
  const [low, high] = lengths.length ? [percentile(lengths, 0.3), percentile(lengths, 0.7)] : [0, 0];
  return group.map(({ right, length }) => {
    const outside = Math.max(0, low - length, length - high);
    return right ? 1 + 0.7 * Math.max(0, 1 - outside / margin) : 0;
  });
}

/** Stage 2: a correct answer has 1, and up to 0.8 more the nearer its length is to the plan. */
export const internalization = (group: readonly Answer[], plan: number): number[] =>
  group.map(({ right, length }) =>
    right ? 1 + 0.8 * Math.exp(-((length - plan) ** 2) / (2 * sigma ** 2)) : 0,
  );

/** LAPO: half of the tokens for stage 1, which measures the median correct length of each problem. Stage 2 announces it. */
export const lapo =
  (plans: boolean, total = tokens) =>
  (given: Task): { task: Task; judge: ReturnType<typeof byLength> } => {
    const medians = new Map<string, number>();
    let used = 0;
    const isPlanned = () => plans && used >= total / 2;
    const reward: LengthReward = (groups) => {
      const planned = isPlanned();
      used += groups.flat().reduce((sum, a) => sum + a.length, 0);
      return groups.map((group) => {
        const key = String(group[0].context?.problem);
        const lengths = rightLengths(group);
        const [plan, median] = [medians.get(key), lengths.length ? percentile(lengths, 0.5) : undefined];
        const rewards = planned ? internalization(group, plan ?? median ?? 0) : discovery(group);
        if (median !== undefined && (!planned || plan === undefined || median < plan))
          medians.set(key, median);
        return rewards;
      });
    };
    return {
      judge: byLength(verifier(lengthsTask), reward),
      task: {
        ...given,
        next: (statistics) =>
          given.next(statistics).map((p) => {
            const plan = isPlanned() ? medians.get(p.key) : undefined;
            const budget = budgets.findIndex((b) => plan !== undefined && plan <= b);
            const lead: EnvContext = budget < 0 ? {} : { lead: `${budget + 1}` };
            return { ...p, context: { ...p.context, ...lead, problem: p.key } };
          }),
      },
    };
  };
