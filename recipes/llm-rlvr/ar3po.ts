import { grpo } from "@reins/algorithms";
import { arm, sums } from "../testbeds/sums.ts";
import { staged } from "./ar3po.parts.ts";

/** Advantages are those that the selection has computed. */
const given = { baseline: "none", scale: "none", groupSize: 4 } as const;

export default sums.recipe({
  id: "ar3po",
  paper: "Improving Sampling Efficiency in RLVR through Adaptive Rollout and Response Reuse",
  source: {
    paper: "arXiv:2509.25808",
    equations:
      "adaptive rollout in S stages of k responses, and response reuse with option II (stop gradient), from two published summaries; the paper itself was not available",
  },
  about:
    "A problem is sampled in stages and leaves after the first stage with a success, so that hard problems get more samples. If none succeeds, a success from an earlier update takes the place of one sample when advantages are computed, and is not trained on itself: the wrong answers get a negative advantage instead of none. Claimed: higher accuracy than GRPO, that of dynamic sampling with up to 4.2 times fewer samples.",
  system: arm("AR3PO", grpo, given, { parts: staged(true) }),
  ablation: arm("AR3PO without response reuse", grpo, given, { parts: staged(false) }),
  presupposes: {
    flat: { least: 0.1, because: "where all groups have both outcomes there is nothing to reuse" },
  },
  claims: [
    { metric: "area", paper: "higher than GRPO, and at least that of DAPO, at 7 and 8 billion weights" },
  ],
  deviations: [
    "Two stages of four samples; the baselines' group size is tuned.",
    "The claim is at equal numbers of generated tokens, so that samples saved on easy problems become further updates.",
  ],
  finding: (f) =>
    `Undecided: AR3PO's accuracy over training is not clearly higher than that of the tuned baselines. What speaks against the doubt: the estimate is close to the smallest effect, and the planned 62 seeds per block were not run. Against the best baseline AR3PO changes accuracy over training by ${f.effect(0)} over ${f.count} seeds. It draws ${f.mean("AR3PO", "answers")} answers per problem and makes ${f.mean("AR3PO", "updates")} updates (GRPO ${f.mean("GRPO", "answers")} and ${f.mean("GRPO", "updates")}). Final accuracy is ${f.mean("AR3PO", "accuracy")} (GRPO ${f.mean("GRPO", "accuracy")}, without response reuse ${f.mean("AR3PO without response reuse", "accuracy")}), at the hardest level ${f.mean("AR3PO", "solved/6")} (GRPO ${f.mean("GRPO", "solved/6")}).`,
});
