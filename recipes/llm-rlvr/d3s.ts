import { grpo } from "@reins/algorithms";
import type { Task } from "@reins/core";
import type { PromptSet } from "@reins/recipes/language";
import { arm, sums } from "../testbeds/sums.ts";
import { downSampled } from "./d3s.parts.ts";

const parts =
  (informed: boolean) =>
  ({ all = [] }: Task & Partial<PromptSet>) =>
    downSampled(informed)(all[0]?.seed ?? 0);

export default sums.recipe({
  id: "d3s",
  paper:
    "Learning More with Less: A Dynamic Dual-Level Down-Sampling Framework for Efficient Policy Optimization",
  source: {
    paper: "arXiv:2509.22115",
    equations:
      "sections 3.1 to 3.3 (subset with the largest Var(A) across groups, top K% of |A| H, linear schedule), as quoted in two published notes on the paper",
  },
  about:
    "Each update trains on a part of the batch: the samples whose advantages vary most, chosen across groups, and of these the tokens with the largest product of absolute advantage and entropy. Both shares rise linearly during training, so that early updates are aggressive and late ones do not overfit. Claimed: faster convergence than GRPO, by a factor of 1.6 to 2, and higher accuracy.",
  system: arm("D3S", grpo, {}, { parts: parts(true) }),
  ablation: arm("D3S with random samples and tokens", grpo, {}, { parts: parts(false) }),
  presupposes: {
    flat: { least: 0.1, because: "samples without an advantage are what dilutes the gradient" },
  },
  claims: [{ metric: "area", paper: "1.6 to 2 times as fast as GRPO, four to six points" }],
  deviations: [
    "Shares rise from a half to all samples and from a fifth to all tokens; those of the paper were not found.",
    "Accuracy at equal numbers of generated tokens. Savings of computation in the update are not measured.",
  ],
  finding: (f) =>
    `The evidence is against the claim: D3S falls behind tuned dynamic sampling, by an uncertain amount. What speaks against this: the second block alone is undecided, and without its choice of samples and tokens the same arm is far worse. Against the best baseline D3S changes accuracy over training by ${f.effect(0)} over ${f.count} seeds. Final accuracy is ${f.mean("D3S", "accuracy")} (GRPO ${f.mean("GRPO", "accuracy")}, with random samples and tokens ${f.mean("D3S with random samples and tokens", "accuracy")}), at the hardest level ${f.mean("D3S", "solved/6")} (GRPO ${f.mean("GRPO", "solved/6")}). The mean entropy of sampling is ${f.mean("D3S", "policy/entropy")} nats (GRPO ${f.mean("GRPO", "policy/entropy")}).`,
});
