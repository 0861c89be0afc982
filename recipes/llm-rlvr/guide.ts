import { arm, traces } from "../testbeds/traces.ts";
import { guide } from "./guide.parts.ts";

export default traces.recipe({
  id: "guide",
  paper: "Adaptive Guidance Accelerates Reinforcement Learning of Reasoning Models",
  source: {
    paper: "arXiv:2506.13923",
    equations:
      "the condition for guidance and the importance ratio of guided answers, as the abstract and public reviews of the paper state them",
  },
  about:
    "A problem whose group has no success is sampled again with a hint. The guided answers are trained on as answers without the hint: their importance ratio is the probability without the hint over that with it when they were sampled, so that the policy comes to do without. Claimed: up to 4% over GRPO on mathematics at 7 and 32 billion weights.",
  system: arm("Guide", guide(true)),
  ablation: arm("Guide without correction", guide(false)),
  presupposes: {
    start: { least: 0.3, because: "problems with a success are never given a hint" },
    flat: { least: 0.1, because: "problems with a success are never given a hint" },
  },
  claims: [{ metric: "area", paper: "up to 4% on average over mathematical benchmarks" }],
  deviations: [
    "The hint is the first half of the trace, as the beginning of the model's answer, in place of advice in the prompt. Its tokens are part of the answer without the hint, where the ratio of each is its probability; later tokens have the same context in both.",
    "Guided groups replace those without a success; advantages are relative to the guided group.",
  ],
  finding: (f) =>
    `Against the best baseline Guide changes accuracy over training by ${f.effect(0)} over ${f.count} seeds. Final accuracy is ${f.mean("Guide", "accuracy")} (GRPO ${f.mean("GRPO", "accuracy")}, with a supervised term ${f.mean("GRPO with a supervised term", "accuracy")}, without correction ${f.mean("Guide without correction", "accuracy")}), on ten digits ${f.mean("Guide", "solved/8")} (GRPO ${f.mean("GRPO", "solved/8")}). It makes ${f.mean("Guide", "updates")} updates (GRPO ${f.mean("GRPO", "updates")}), because problems are sampled up to twice.`,
});
