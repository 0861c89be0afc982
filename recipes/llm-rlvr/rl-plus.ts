import { arm, traces } from "../testbeds/traces.ts";
import { rlPlus } from "./rl-plus.parts.ts";

/** Settings of train_RL-PLUS.sh: advantages are not scaled, and a batch makes two minibatches. */
const settings = { scale: "none", minibatches: 2 } as const;

export default traces.recipe({
  id: "rl-plus",
  paper:
    "RL-PLUS: Countering Capability Boundary Collapse of LLMs in Reinforcement Learning with Hybrid-policy Optimization",
  source: {
    paper: "arXiv:2508.00222",
    code: "YihongDong/RL-PLUS",
    equations: "compute_token_on_off_policy_loss in rlplus_core_alg.py, with train_RL-PLUS.sh",
  },
  about:
    "A trace replaces one sample of each group. Its tokens have the importance weight 2 π / (π_old + ω) of a mixture of the old policy and an unknown one, with ω = (π_old + 1) / 2, which keeps the gradient of unlikely tokens, and their advantage is multiplied by √(1 − π), so that tokens that the policy already finds likely count little. Claimed: higher accuracy than GRPO, SFT and mixtures, and no collapse of pass@k.",
  system: arm("RL-PLUS", rlPlus(true), settings),
  ablation: arm("RL-PLUS with the weight π", rlPlus(false), settings),
  presupposes: {
    start: { least: 0.3, because: "a policy that solves its problems learns little from traces" },
  },
  claims: [{ metric: "area", paper: "up to 69.2% over GRPO, relative, on average" }],
  deviations: [
    "A batch is used for as many epochs as the grid says, without clipped ratios; the authors' program has one epoch.",
  ],
  finding: (f) =>
    `Against the best baseline RL-PLUS changes accuracy over training by ${f.effect(0)} over ${f.count} seeds. Final accuracy is ${f.mean("RL-PLUS", "accuracy")} (GRPO ${f.mean("GRPO", "accuracy")}, with a supervised term ${f.mean("GRPO with a supervised term", "accuracy")}, with the weight π ${f.mean("RL-PLUS with the weight π", "accuracy")}), on ten digits ${f.mean("RL-PLUS", "solved/8")} (GRPO ${f.mean("GRPO", "solved/8")}). Final token entropy is ${f.mean("RL-PLUS", "entropy")} nats (GRPO ${f.mean("GRPO", "entropy")}).`,
});
