import { arm, traces } from "../testbeds/traces.ts";
import { sasr } from "./sasr.parts.ts";

export default traces.recipe({
  id: "sasr",
  paper:
    "Step-wise Adaptive Integration of Supervised Fine-tuning and Reinforcement Learning for Task-Specific LLMs",
  source: {
    paper: "arXiv:2505.13026",
    equations:
      "warm-up, probability of a supervised step from gradient norms, and choice of the step, after two public accounts of the paper's algorithm; the authors' program is not public",
  },
  about:
    "SASR imitates traces for a warm-up and keeps the gradient norm of its last step. Then each step is supervised with probability p and a step of GRPO otherwise, where p is the latest supervised gradient norm divided by its sum with the norm of the warm-up. As imitation converges its norm falls and GRPO takes over; where the policy moves away from the traces, imitation returns. Claimed: better than SFT, GRPO and fixed mixtures of both.",
  system: arm("SASR", sasr({})),
  ablation: arm("SASR with a fixed probability", sasr({ fixed: 0.5 })),
  presupposes: {
    start: { least: 0.3, because: "a policy that solves its problems needs no traces" },
  },
  claims: [{ metric: "area", paper: "higher than SFT, GRPO and fixed mixtures" }],
  deviations: [
    "The warm-up is one pass over the traces, and γ = 1 is the weight of its gradient norm. Both kinds of steps have the tuned learning rate and number of epochs.",
  ],
  finding: (f) =>
    `Against the best baseline SASR changes accuracy over training by ${f.effect(0)} over ${f.count} seeds. Final accuracy is ${f.mean("SASR", "accuracy")} (GRPO ${f.mean("GRPO", "accuracy")}, with a supervised term ${f.mean("GRPO with a supervised term", "accuracy")}, with a fixed probability of one half ${f.mean("SASR with a fixed probability", "accuracy")}), on ten digits ${f.mean("SASR", "solved/8")} (GRPO ${f.mean("GRPO", "solved/8")}). It makes ${f.mean("SASR", "updates")} updates (GRPO ${f.mean("GRPO", "updates")}), because supervised ones use few tokens.`,
});
