import { grpo } from "@reins/algorithms";
import { arm, sums, sumsLevels } from "../testbeds/sums.ts";
import { adaptiveWindow } from "./rlve.parts.ts";

const window = (first: number, width: number) => ({
  parts: adaptiveWindow({ width, threshold: 0.5, problems: 8, first }),
});

export default sums.recipe({
  id: "rlve",
  paper: "RLVE: Scaling Up Reinforcement Learning for Language Models with Adaptive Verifiable Environments",
  source: {
    paper: "arXiv:2511.07317",
    code: "Zhiyuan-Zeng/RLVE",
    equations:
      "generate_problem and update in slime/ray/rollout_data_source.py, with the defaults of slime/utils/arguments.py",
  },
  about:
    "Problems come from a window of four levels of difficulty, each with equal probability. The window begins with the lowest level alone. When the accuracy at its top level reaches a threshold over eight problems, the next level is added, so that problems stay neither trivial nor impossible. Claimed: 3.4 points over six benchmarks where further training on a fixed set gains half a point for three times the compute.",
  system: arm("RLVE", grpo, {}, window(0, 4)),
  ablation: arm("RLVE with all levels", grpo, {}, window(sumsLevels.length - 1, sumsLevels.length)),
  presupposes: {
    mixed: { least: 0.1, because: "where levels are equally hard the window makes no difference" },
    hard: { least: 0.3, because: "without problems that are too hard there is nothing to put off" },
  },
  claims: [{ metric: "area", paper: "3.4 points on average over six benchmarks" }, { metric: "accuracy" }],
  deviations: [
    "The threshold is an accuracy of 1/2 in place of 0.9, which no level reaches within the budget.",
    "One environment in place of 400. Its problems are the 192 of the testbed, in place of new ones.",
  ],
  finding: (f) =>
    `The evidence is against the claim: RLVE falls behind baselines that sample all levels, by an uncertain amount. What speaks against this: the second block alone is undecided, 192 problems of one kind need no new ones, and levels count equally in the evaluation although RLVE reaches the higher ones late. Against the best baseline RLVE changes accuracy over training by ${f.effect(0)} and final accuracy by ${f.effect(1)} over ${f.count} seeds. Final accuracy is ${f.mean("RLVE", "accuracy")} (GRPO ${f.mean("GRPO", "accuracy")}, with all levels from the beginning ${f.mean("RLVE with all levels", "accuracy")}), at the easiest level ${f.mean("RLVE", "solved/1")} (GRPO ${f.mean("GRPO", "solved/1")}) and at the hardest ${f.mean("RLVE", "solved/6")} (GRPO ${f.mean("GRPO", "solved/6")}). The share of groups with equal rewards is ${f.mean("RLVE", "flat")} (GRPO ${f.mean("GRPO", "flat")}).`,
});
