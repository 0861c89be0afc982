import { grpo } from "@reins/algorithms";
import { arm, sums } from "../testbeds/sums.ts";
import { teaRl } from "./light-if.parts.ts";

/** The average coefficient of a token is a hundredth, that of the authors' program for answers of a thousand tokens. */
const tea = (adaptive: boolean) =>
  grpo.with("tea-rl", { loss: teaRl(0.2, { alpha: 0.06, most: 0.03, adaptive }) });

export default sums.recipe({
  id: "light-if",
  paper:
    "Light-IF: Endowing LLMs with Generalizable Reasoning via Preview and Self-Checking for Complex Instruction Following",
  source: {
    paper: "arXiv:2508.03178",
    code: "Qihoo360/Light-IF",
    equations: "compute_entropy_with_cov in rl/verl/verl/trainer/ppo/core_algos.py",
  },
  about:
    "The entropy bonus of TEA-RL goes where the update would lower entropy most: the coefficients of an answer's tokens are a softmax of advantage times log-probability, both relative to their means in the batch. Claimed: stable entropy in reinforcement learning, and instruction following better than that of larger models.",
  system: arm("TEA-RL", tea(true)),
  ablation: arm("TEA-RL with equal coefficients", tea(false)),
  presupposes: {
    hard: { least: 0.3, because: "exploration is for problems that are not solved yet" },
  },
  claims: [{ metric: "area", paper: "higher accuracy with TEA-RL than with GRPO" }, { metric: "entropy" }],
  deviations: [
    "Of the pipeline this is the method of reinforcement learning alone: previews and self-checks, the supervised stage that preserves entropy, and rewards for single constraints are left out.",
    "Coefficients sum to 0.06 and are at most 0.03, in place of 10 and 5 for answers of thousands of tokens. They are not differentiated. In the published program the branch of this bonus is not reached with the default loss.",
    "GRPO's clip range, in place of ratios up to 2, and no KL penalty (0.001).",
  ],
  finding: (f) =>
    `Against the best baseline TEA-RL changes accuracy over training by ${f.effect(0)} and final token entropy by ${f.effect(1)} over ${f.count} seeds. Final accuracy is ${f.mean("TEA-RL", "accuracy")} (GRPO ${f.mean("GRPO", "accuracy")}, with equal coefficients ${f.mean("TEA-RL with equal coefficients", "accuracy")}); the entropy ends at ${f.mean("TEA-RL", "entropy")} nats (GRPO ${f.mean("GRPO", "entropy")}, with equal coefficients ${f.mean("TEA-RL with equal coefficients", "entropy")}).`,
});
