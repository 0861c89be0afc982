import { grpo } from "@reins/algorithms";
import type { Task } from "@reins/core";
import type { PromptSet } from "@reins/recipes/language";
import { arm, sums, sumsLevels } from "../testbeds/sums.ts";

/** Difficulty of a problem, from 0 at the lowest level to 100 at the highest. */
const difficulty = (level: number) => (100 * (level - sumsLevels[0])) / (sumsLevels.length - 1);

/** The problems nearest to a target difficulty T, which moves by η tanh(α (mean reward − β)) and stays within 0 to 100. */
export const nearest =
  (eta: number, start: number) =>
  ({ all = [], groups = 0 }: Partial<PromptSet>): { task: Task } => {
    let [target, visits] = [start, all.map(() => 0)];
    return {
      task: {
        next() {
          const distance = all.map((p) => Math.abs(difficulty(p.context?.level as number) - target));
          const order = [...all.keys()].sort((a, b) => distance[a] - distance[b] || visits[a] - visits[b]);
          const chosen = order.slice(0, groups);
          for (const i of chosen) visits[i]++;
          return chosen.map((i) => all[i]);
        },
        observe(judged) {
          const mean = judged.reduce((sum, j) => sum + j.reward, 0) / judged.length;
          target = Math.min(100, Math.max(0, target + eta * Math.tanh(2 * (mean - 0.5))));
        },
        save: () => ({ target, visits: Float64Array.from(visits) }),
        restore(from) {
          const s = from as { target: number; visits: Float64Array };
          [target, visits] = [s.target, [...s.visits]];
        },
      },
    };
  };

export default sums.recipe({
  id: "adarft",
  paper: "Efficient Reinforcement Finetuning via Adaptive Curriculum Learning",
  source: {
    paper: "arXiv:2504.05520",
    code: "uscnlp-lime/verl",
    equations: "custom_sampler.py (choice of the batch) and ray_trainer.py (update of the target)",
  },
  about:
    "Each batch has the problems whose difficulty is nearest to a target. The target rises while the mean reward is above one half and falls while it is below, so that training stays where problems are hard but solvable. Claimed: up to half the training steps, and a higher final accuracy.",
  system: arm("AdaRFT", grpo, {}, { parts: nearest(50, 0) }),
  ablation: arm("AdaRFT with a fixed target", grpo, {}, { parts: nearest(0, 50) }),
  presupposes: {
    mixed: {
      least: 0.1,
      because: "where levels are equally hard, no target difficulty is better than another",
    },
  },
  claims: [
    { metric: "area", paper: "up to twice as fast" },
    { metric: "accuracy", paper: "higher final accuracy" },
  ],
  deviations: [
    "GRPO in place of PPO with a critic; the sampler is independent of the method.",
    "The level of a sum is its difficulty, in place of the failure rate of a reference model. Problems of a level take turns, because difficulties are equal within it; the authors' program breaks ties by position.",
  ],
  finding: (f) =>
    `Reversed: AdaRFT learns less than tuned GRPO on problems of all levels. What speaks against this: levels count equally in the evaluation, and the sampler leaves out those that it holds to be too easy or too hard. Against the best baseline AdaRFT changes accuracy over training by ${f.effect(0)} and final accuracy by ${f.effect(1)} over ${f.count} seeds. Final accuracy is ${f.mean("AdaRFT", "accuracy")} with AdaRFT, ${f.mean("GRPO", "accuracy")} with GRPO and ${f.mean("AdaRFT with a fixed target", "accuracy")} with a fixed target; at the hardest level ${f.mean("AdaRFT", "solved/6")} and ${f.mean("GRPO", "solved/6")}, at the easiest ${f.mean("AdaRFT", "solved/1")} and ${f.mean("GRPO", "solved/1")}. The share of groups with equal rewards is ${f.mean("AdaRFT", "flat")} (GRPO ${f.mean("GRPO", "flat")}).`,
});
