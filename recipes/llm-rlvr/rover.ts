import { arm, sums } from "../testbeds/sums.ts";
import { rover, uniformStage } from "./rover.parts.ts";

export default sums.recipe({
  id: "rover",
  paper: "Random Policy Valuation is Enough for LLM Reasoning with Verifiable Rewards",
  source: {
    paper: "arXiv:2509.24981",
    code: "tinnerhrhe/ROVER",
    equations:
      "update_policy in Math/verl/workers/actor/dp_actor.py, sum_log_softmax in torch_functional.py, with rover_qwen3_8b.sh",
  },
  about:
    "In a tree with a reward at its leaves the best action is the best one under the values of the uniform policy, so no policy iteration is needed. The value of a token is how much its log-probability has risen since it was sampled. It is fitted, by squared error, to the group-relative advantage plus the mean of these values over all tokens of the next step. Sampling from the policy is then sampling from a softmax of the values. Claimed: 8.2 points of pass@1, 16.8 of pass@256 and 17.6% more diversity than GRPO and its variants.",
  system: arm("ROVER", rover(true), {}, { change: uniformStage }),
  ablation: arm("ROVER without the next value", rover(false), {}, { change: uniformStage }),
  presupposes: "nothing",
  claims: [
    { metric: "area", paper: "8.2 points of pass@1" },
    { metric: "entropy", paper: "17.6% more diversity" },
  ],
  deviations: [
    "Single samples are measured; the paper's largest differences are in pass@256. Diversity is the entropy of tokens.",
    "A batch is used whole in every epoch, not in four minibatches; the next value is 0 in the first epoch.",
  ],
  finding: (f) =>
    `Against the best baseline ROVER changes accuracy over training by ${f.effect(0)} and final token entropy by ${f.effect(1)} over ${f.count} seeds. Final accuracy is ${f.mean("ROVER", "accuracy")} (GRPO ${f.mean("GRPO", "accuracy")}, without the next value ${f.mean("ROVER without the next value", "accuracy")}); the entropy ends at ${f.mean("ROVER", "entropy")} nats (GRPO ${f.mean("GRPO", "entropy")}, without the next value ${f.mean("ROVER without the next value", "entropy")}).`,
});
