import { arm, sums } from "../testbeds/sums.ts";
import { trpa } from "./trpa.parts.ts";

export default sums.recipe({
  id: "trpa",
  paper:
    "Trust Region Preference Approximation: A simple and stable reinforcement learning algorithm for LLM reasoning",
  source: {
    paper: "arXiv:2504.04524",
    code: "XueruiSu/Trust-Region-Preference-Approximation",
    equations:
      "compute_pairwise_policy_loss in core_algos.py, update_policy in dp_actor.py, levels of reward_score/kk.py, settings of main_TRPA.sh",
  },
  about:
    "Rules sort the samples of a problem into levels: right, wrong, incomplete. Every pair of samples of different levels is a preference, and the loss is that of preference optimisation relative to the initial policy, with mean log-probabilities of tokens and a larger factor where one of the two is right. A small penalty holds the policy near the one that sampled. There are no advantages and no clip. Claimed: as good as or better than GRPO on logic puzzles and mathematics, and more stable.",
  system: arm("TRPA", trpa(true)),
  ablation: arm("TRPA without saturation", trpa(false)),
  presupposes: {
    flat: {
      least: 0.05,
      because: "where every group had both outcomes advantages would be preferences already",
    },
  },
  claims: [{ metric: "area", paper: "higher than GRPO on knights and knaves, at 7 billion weights" }],
  deviations: [
    "An answer with another number of steps is incomplete; the levels of the authors' program are about tags and missing names.",
    "A batch without a pair makes no update; the authors' program then uses single samples.",
  ],
  finding: (f) =>
    `Against the best baseline TRPA changes accuracy over training by ${f.effect(0)} over ${f.count} seeds. Final accuracy is ${f.mean("TRPA", "accuracy")} (GRPO ${f.mean("GRPO", "accuracy")}, dynamic sampling ${f.mean("dynamic sampling", "accuracy")}, without saturation ${f.mean("TRPA without saturation", "accuracy")}), at the hardest level ${f.mean("TRPA", "solved/6")} (GRPO ${f.mean("GRPO", "solved/6")}). The divergence from the sampling policy is ${f.mean("TRPA", "policy/kl")} (GRPO ${f.mean("GRPO", "policy/kl")}).`,
});
