import { grpo } from "@reins/algorithms";
import { arm, sums } from "../testbeds/sums.ts";

export default sums.recipe({
  id: "tricks-or-traps",
  paper: "Part I: Tricks or Traps? A Deep Dive into RL for LLM Reasoning",
  source: {
    paper: "arXiv:2508.08221",
    code: "alibaba/ROLL",
    equations:
      "group_reward_norm with div_std_global in roll/utils/functionals.py; token_level_loss in the settings of Lite PPO",
  },
  about:
    "The paper isolates common tricks of reinforcement learning for reasoning and keeps two: advantages relative to the mean of the group, divided by the standard deviation of the whole batch, and a loss that weights all tokens of the batch equally. With the clipped loss of PPO and no critic they are called Lite PPO. Claimed: higher accuracy than GRPO and DAPO, which have more tricks.",
  system: arm("Lite PPO", grpo, { scale: "batch", aggregation: "token" }),
  ablation: arm("Lite PPO without batch deviation", grpo, { scale: "none", aggregation: "token" }),
  presupposes: {
    mixed: {
      least: 0.1,
      because: "the deviation of a group differs from that of the batch if solve rates differ",
    },
  },
  claims: [{ metric: "area", paper: "higher than GRPO and DAPO, at 4 and 8 billion weights" }],
  deviations: [
    "GRPO here has the token-level loss already, so that the divisor of advantages is all that differs; the second baseline has DAPO's dynamic sampling and higher clip range.",
  ],
  finding: (f) =>
    `Undecided, and unlikely to be decided with more seeds: division by the deviation of the batch does not help. What speaks against this: the other of the two tricks, the loss over tokens, is part of all arms here. Against the best baseline Lite PPO changes accuracy over training by ${f.effect(0)} over ${f.count} seeds. Final accuracy is ${f.mean("Lite PPO", "accuracy")} with Lite PPO, ${f.mean("GRPO", "accuracy")} with GRPO, ${f.mean("dynamic sampling", "accuracy")} with dynamic sampling and ${f.mean("Lite PPO without batch deviation", "accuracy")} without division. At the hardest level it is ${f.mean("Lite PPO", "solved/6")} (GRPO ${f.mean("GRPO", "solved/6")}).`,
});
