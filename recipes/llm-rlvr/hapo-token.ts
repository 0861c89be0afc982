import { grpo } from "@reins/algorithms";
import * as targets from "@reins/core/targets";
import { arm, sums } from "../testbeds/sums.ts";
import { tokenAverage, tokenAware } from "./hapo-token.parts.ts";

const hapo = (aware: boolean) =>
  grpo.with("hapo", {
    target: (batch, rewards, judged) => ({
      advantage: targets.spread(tokenAverage(judged, rewards, targets.groupsOf(batch)), batch),
    }),
    loss: tokenAware(aware),
  });

export default sums.recipe({
  id: "hapo-token",
  paper: "From Uniform to Heterogeneous: Tailoring Policy Optimization to Every Token's Nature",
  source: {
    paper: "arXiv:2509.16591",
    code: "starriver030515/HAPO",
    equations:
      "compute_entropy_h, ada_clip, ada_advantage and compute_hapo_outcome_advantage in verl/trainer/ppo/core_algos.py, recipe/train.md",
  },
  about:
    "Each token is treated by its entropy relative to the 80% quantile of the batch. Clip ranges are wider below 1 for low entropies and above 1 for high ones; advantages are scaled up at high entropy once the ratio has left the inner half of its range, and down at low entropy within it. Group means are over tokens. Groups with equal rewards are dropped, as in DAPO. Claimed: higher accuracy and entropy than DAPO.",
  system: arm("HAPO", hapo(true), { filter: "flat" }),
  ablation: arm("HAPO with uniform tokens", hapo(false), { filter: "flat" }),
  presupposes: {
    clipped: { least: 0.01, because: "where ratios stay within their range its width is without effect" },
  },
  claims: [
    { metric: "area", paper: "higher than DAPO, at 1.5 to 14 billion weights" },
    { metric: "entropy", paper: "entropy stays higher than with DAPO" },
  ],
  deviations: [
    "One of four components is missing: temperatures of single tokens, at most 5% from 1.",
    "Entropies below the pivot are −1 to 0, as described; the authors' program divides them by their negative minimum, which makes them positive.",
  ],
  finding: (f) =>
    `Undecided, for accuracy and for entropy: HAPO does what tuned dynamic sampling does. What speaks against this: one of its four components is missing, and answers of eight tokens have fewer decisive tokens than reasoning has. Against the best baseline HAPO changes accuracy over training by ${f.effect(0)} and final token entropy by ${f.effect(1)} over ${f.count} seeds. Final accuracy is ${f.mean("HAPO", "accuracy")} (dynamic sampling ${f.mean("dynamic sampling", "accuracy")}, with uniform tokens ${f.mean("HAPO with uniform tokens", "accuracy")}); the entropy ends at ${f.mean("HAPO", "entropy")} nats (dynamic sampling ${f.mean("dynamic sampling", "entropy")}, with uniform tokens ${f.mean("HAPO with uniform tokens", "entropy")}).`,
});
