import { arm, traces } from "../testbeds/traces.ts";
import { guide } from "./guide.parts.ts";

export default traces.recipe({
  id: "guide",
  paper: "Adaptive Guidance Accelerates Reinforcement Learning of Reasoning Models",
  source: {
    paper: "arXiv:2506.13923",
    code: "vaskar-open-source-research/guide_rl",
    equations:
      "compute_policy_loss in core_algos.py, _roll_with_prompt_variant in ray_trainer.py, compute_log_prob in dp_actor.py, settings of guide_grpo_qwen.sh",
  },
  about:
    "A problem whose group has no success is sampled again with a hint. The guided answers are trained on as answers without the hint: their importance ratio r is the probability without the hint over that with it when they were sampled, and enters as r / (r + γ) without a clip, so that tokens that are unlikely without the hint still count. Claimed: up to 4% over GRPO on mathematics at 7 and 32 billion weights.",
  system: arm("Guide", guide(true)),
  ablation: arm("Guide without correction", guide(false)),
  presupposes: {
    start: { least: 0.3, because: "problems with a success are never given a hint" },
    flat: { least: 0.1, because: "problems with a success are never given a hint" },
  },
  claims: [{ metric: "area", paper: "up to 4% on average over mathematical benchmarks" }],
  deviations: [
    "The hint is the first half of the trace, as the beginning of the model's answer, in place of advice in the prompt. Its tokens are part of the answer without the hint, where the ratio of each is its probability; later tokens have the same context in both.",
    "γ is 1: the program's 90% quantile of an answer's ratios, most of which are 1 at the start of an update. Batches are not filled up again when groups with equal rewards drop out.",
  ],
  finding: (f) =>
    `The claim is reversed: hints for problems without a success reach neither a supervised term on the traces of all problems nor GRPO alone, whose hardest problems they do not help. What speaks against this: the paper does not compare with a supervised term, its hints are instructions and not the beginning of the answer, and problems that are sampled twice cost tokens here. Against the best baseline Guide changes accuracy over training by ${f.effect(0)} over ${f.count} seeds. Final accuracy is ${f.mean("Guide", "accuracy")} (GRPO ${f.mean("GRPO", "accuracy")}, with a supervised term ${f.mean("GRPO with a supervised term", "accuracy")}, without correction ${f.mean("Guide without correction", "accuracy")}), on ten digits ${f.mean("Guide", "solved/8")} (GRPO ${f.mean("GRPO", "solved/8")}). It makes ${f.mean("Guide", "updates")} updates (GRPO ${f.mean("GRPO", "updates")}), because problems are sampled up to twice.`,
});
