import { grpo } from "@reins/algorithms";
import type { Task } from "@reins/core";
import { type Outcomes, reallocated } from "../shared/reallocated.ts";
import { arm, sums } from "../testbeds/sums.ts";

/** Value of the nth sample (n ≥ 2): what it adds to the probability of both outcomes, times p (1 − p)², the expected gain of p. */
export const gain = (p: number, n: number): number =>
  (p ** (n - 1) * (1 - p) + (1 - p) ** (n - 1) * p) * p * (1 - p) ** 2;

/** The most valuable sizes with this total, from two to 128. Values are concave in n, so one sample at a time is optimal. */
export function knapsack(outcomes: readonly Outcomes[], total: number): number[] {
  if (outcomes.some((o) => o.samples === 0)) return outcomes.map(() => total / outcomes.length);
  const rates = outcomes.map((o) => o.solved / o.samples);
  const sizes = rates.map(() => 2);
  for (let left = total - 2 * sizes.length; left > 0; left--) {
    const gains = rates.map((p, i) => (sizes[i] < 128 ? gain(p, sizes[i] + 1) : -1));
    const most = Math.max(...gains);
    // Without a gain anywhere, the smallest groups grow.
    const at = most > 0 ? gains.indexOf(most) : sizes.indexOf(Math.min(...sizes));
    sizes[at]++;
  }
  return sizes;
}

const parts = (given: Task) => ({ task: reallocated(given, { sizes: knapsack }) });
/** The same sizes, given to other problems of the batch than those that they were made for. */
const shifted = (given: Task) => ({
  task: reallocated(given, { sizes: (o, total) => knapsack([...o.slice(1), o[0]], total) }),
});

export default sums.recipe({
  id: "knapsack-rl",
  paper: "Knapsack RL: Unlocking Exploration of LLMs via Optimizing Budget Allocation",
  source: {
    paper: "arXiv:2509.25849",
    equations:
      "task value: probability of a non-zero gradient times InfoGain, which is about p (1 − p)²; budgets by knapsack",
  },
  about:
    "The number of samples of each problem is chosen by a knapsack: the value of n samples is the probability that they have both outcomes, times the expected gain of the solve rate, p (1 − p)². Solved problems give their samples to hard ones. Claimed: 20 to 40% more groups with a gradient, and two to four points of accuracy at the same number of samples.",
  system: arm("Knapsack RL", grpo, {}, { parts }),
  ablation: arm("Knapsack RL with shuffled budgets", grpo, {}, { parts: shifted }),
  presupposes: { flat: { least: 0.1, because: "where all groups have both outcomes no sample is wasted" } },
  claims: [{ metric: "area", paper: "two to four points, at 1.5 to 7 billion weights" }],
  deviations: [
    "The solve rate of a problem is that of its last visit. Before the first visit groups are equal.",
    "Problems that were always or never solved get two samples unless some are left over; the paper's fallback for problems that were never solved is left out.",
  ],
  finding: (f) =>
    `Against the best baseline Knapsack RL changes accuracy over training by ${f.effect(0)} over ${f.count} seeds. Groups with equal rewards, the smallest ones included, are ${f.mean("Knapsack RL", "flat")} of all (GRPO ${f.mean("GRPO", "flat")}, with shuffled budgets ${f.mean("Knapsack RL with shuffled budgets", "flat")}). Final accuracy is ${f.mean("Knapsack RL", "accuracy")} (GRPO ${f.mean("GRPO", "accuracy")}, with shuffled budgets ${f.mean("Knapsack RL with shuffled budgets", "accuracy")}), at the hardest level ${f.mean("Knapsack RL", "solved/6")} (GRPO ${f.mean("GRPO", "solved/6")}).`,
});
