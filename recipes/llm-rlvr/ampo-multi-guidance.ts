import { arm, traces } from "../testbeds/traces.ts";
import { ampo } from "./ampo-multi-guidance.parts.ts";

/** Settings of train_ampo.sh. */
const settings = { scale: "none" } as const;

export default traces.recipe({
  id: "ampo-multi-guidance",
  paper: "More Than One Teacher: Adaptive Multi-Guidance Policy Optimization for Diverse Exploration",
  source: {
    paper: "arXiv:2510.02227",
    code: "SII-Enigma/AMPO",
    equations:
      "mix_off_policy_rollout in mix_dapo_trainer.py and compute_token_on_seq_off_policy_loss in mix_core_alg.py, with train_ampo.sh",
  },
  about:
    "Where all samples of a group fail, AMPO replaces two of them with traces of different teachers: those after whose steps the policy gives the right result the highest probability, so that it learns what it can comprehend. A trace's token has the weight π / (π + 0.1). Groups with a success stay on-policy. Claimed: 4.3% over GRPO on mathematics, and more diverse exploration.",
  system: arm("AMPO", ampo(true), settings),
  ablation: arm("AMPO with random teachers", ampo(false), settings),
  presupposes: {
    start: { least: 0.3, because: "groups with a success get no guidance" },
    flat: { least: 0.1, because: "groups with a success get no guidance" },
  },
  claims: [{ metric: "area", paper: "4.3% over GRPO on average" }],
  deviations: [
    "Four teachers add the digits from the left, from the right, the smallest first and the largest first; they replace four models of 7 billion weights. The other arms have the traces of the first, whose form the model has imitated.",
    "The traces of all four teachers count towards the budget, because all are scored.",
  ],
  finding: (f) =>
    `The claim is reversed against the strongest baseline: a supervised term that imitates the trace of every problem beats traces of several teachers that replace samples only where all fail. Against GRPO alone AMPO ends with a higher accuracy, and choosing the teacher by comprehension changes little. What speaks against this: the paper does not compare with a supervised term, and its teachers reason in different ways, not only in different orders. Against the best baseline AMPO changes accuracy over training by ${f.effect(0)} over ${f.count} seeds. Final accuracy is ${f.mean("AMPO", "accuracy")} (GRPO ${f.mean("GRPO", "accuracy")}, with a supervised term ${f.mean("GRPO with a supervised term", "accuracy")}, with random teachers ${f.mean("AMPO with random teachers", "accuracy")}), on ten digits ${f.mean("AMPO", "solved/8")} (GRPO ${f.mean("GRPO", "solved/8")}). The share of groups with equal rewards is ${f.mean("AMPO", "flat")} (GRPO ${f.mean("GRPO", "flat")}).`,
});
