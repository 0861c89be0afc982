import type { Task } from "@reins/core";
import { type Answer, type LengthReward, solveRate } from "../shared/length-rewards.ts";

/** Scale of rewards. */
const beta = 4;

/** Reward of a correct answer with a budget: β cos(π b / 2L) within it, β cos(π n / 2L) − |n − b| / L beyond it. It would reach 0 at the length L. */
export function budgetReward(length: number, budget: number, limit: number): number {
  const decay = (n: number) => beta * Math.cos((Math.PI * n) / (2 * limit));
  return length <= budget ? decay(budget) : decay(length) - Math.abs(length - budget) / limit;
}

/** Reward of a correct answer without a budget. */
export const cosineReward = (length: number, limit: number): number =>
  beta * Math.cos((Math.PI * length) / (2 * limit));

/** One subgroup of samples per budget for each problem, whose prompt announces it. */
export const withBudgets =
  (budgets: readonly number[]) =>
  (given: Task): { task: Task } => {
    let update = 0;
    return {
      task: {
        ...given,
        next(statistics) {
          update++;
          return given.next(statistics).flatMap((p, i) =>
            budgets.map((_, k) => ({
              ...p,
              group: `${update}:${i}`,
              groupSize: Math.max(1, Math.round(p.groupSize / budgets.length)),
              context: { ...p.context, lead: `${k + 1}` },
            })),
          );
        },
      },
    };
  };

const deviations = (values: readonly number[]) => {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  const squares = values.reduce((sum, v) => sum + (v - mean) ** 2, 0);
  const deviation = Math.sqrt(squares / Math.max(1, values.length - 1));
  return values.map((v) => (v - mean) / (deviation + 1e-6));
};

/** The budget that the prompt of an answer announces. */
const budgetOf = ({ context }: Answer, budgets: readonly number[]) => budgets[Number(context?.lead) - 1];

/**
 * Advantages of HBPO: the reward relative to all samples of the problem, plus the mean reward of the subgroup minus that of
 * a correct answer within its budget.
 */
export const hierarchical = (budgets: readonly number[], limit: number) => (): LengthReward => (groups) =>
  groups.map((group) => {
    const own = group.map((a) => budgetOf(a, budgets));
    const rewards = group.map((a, i) => (a.right ? budgetReward(a.length, own[i], limit) : 0));
    const inter = deviations(rewards);
    return inter.map((advantage, i) => {
      const members = rewards.filter((_, k) => own[k] === own[i]);
      const mean = members.reduce((a, b) => a + b, 0) / members.length;
      return advantage + mean - budgetReward(own[i], own[i], limit);
    });
  });

/** Advantages with the cosine reward, without budgets. */
export const cosine = (limit: number) => (): LengthReward => (groups) =>
  groups.map((group) =>
    solveRate(group) === 0
      ? group.map(() => 0)
      : deviations(group.map((a) => (a.right ? cosineReward(a.length, limit) : 0))),
  );
