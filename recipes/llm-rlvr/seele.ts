import { arm, traces } from "../testbeds/traces.ts";
import { halfwayHint, seele } from "./seele.parts.ts";

export default traces.recipe({
  id: "seele",
  paper: "Staying in the Sweet Spot: Responsive Reasoning Evolution via Capability-Adaptive Hint Scaffolding",
  source: {
    paper: "arXiv:2509.06923",
    equations:
      "sampling in rounds, the three-parameter logistic model of accuracy and its inverse at one half, and the losses of hints and samples, after public accounts of the paper and of its program",
  },
  about:
    "The loss falls fastest where half of the samples are right. SEELE samples a group in rounds: after each it fits an item response model to the accuracy at the hints so far, and gives the next samples as long a prefix of the trace as the model predicts for an accuracy of one half. Samples are reinforced, and hints imitated. Claimed: 11.8 points over GRPO and 10.5 over SFT on six benchmarks.",
  system: arm("SEELE", seele(halfwayHint)),
  ablation: arm(
    "SEELE with half of the trace",
    seele(() => 0.5),
  ),
  presupposes: {
    start: { least: 0.3, because: "problems of medium difficulty need no hint" },
  },
  claims: [{ metric: "area", paper: "11.8 points over GRPO, 10.5 over SFT" }],
  deviations: [
    "Four rounds of two samples, the first without a hint. The model is fitted by maximum likelihood on a grid, with a success at the whole trace as a further observation. These details are ours.",
    "Hints of a group together have the weight of one demonstration; the paper's weight is not known to us.",
  ],
  finding: (f) =>
    `Against the best baseline SEELE changes accuracy over training by ${f.effect(0)} over ${f.count} seeds. Final accuracy is ${f.mean("SEELE", "accuracy")} (GRPO ${f.mean("GRPO", "accuracy")}, with a supervised term ${f.mean("GRPO with a supervised term", "accuracy")}, with half of the trace ${f.mean("SEELE with half of the trace", "accuracy")}), on ten digits ${f.mean("SEELE", "solved/8")} (GRPO ${f.mean("GRPO", "solved/8")}). The mean reward in training is ${f.mean("SEELE", "reward/mean")} (GRPO ${f.mean("GRPO", "reward/mean")}, with half of the trace ${f.mean("SEELE with half of the trace", "reward/mean")}).`,
});
