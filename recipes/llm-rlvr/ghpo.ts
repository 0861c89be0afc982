import { arm, traces } from "../testbeds/traces.ts";
import { ghpo } from "./ghpo.parts.ts";

export default traces.recipe({
  id: "ghpo",
  paper: "GHPO: Adaptive Guidance for Stable and Efficient LLM Reinforcement Learning",
  source: {
    paper: "arXiv:2507.10628",
    code: "hkgc-1/GHPO",
    equations:
      "_generate_and_score_completions in ghpo_trainer.py (detection of difficulty, stages of hints), with config_ghpo.yaml",
  },
  about:
    "A problem whose group has no success is too hard for the policy. GHPO samples it again with the first quarter of its trace, then with half, then with three quarters, until a sample succeeds, and trains on the last group in the context of its hint. Other problems are trained on without a hint. Claimed: about 5% higher accuracy than GRPO and a curriculum, and stabler training.",
  system: arm("GHPO", ghpo([0.25, 0.5, 0.75])),
  ablation: arm("GHPO, sampling again without hints", ghpo([0, 0, 0])),
  presupposes: {
    start: { least: 0.3, because: "problems with a success are never given a hint" },
    flat: { least: 0.1, because: "problems with a success are never given a hint" },
  },
  claims: [{ metric: "area", paper: "about 5% on average over six benchmarks" }],
  deviations: [
    "The hint is the beginning of the model's answer, not a part of the prompt that the answer repeats.",
    "The paper compares equal numbers of updates; here groups that are dropped cost tokens too.",
  ],
  finding: (f) =>
    `The claim is reversed against the strongest baseline: a supervised term that imitates the trace of every problem beats hints by far, and GHPO does not end clearly above GRPO alone. Hints do help against sampling again without them. What speaks against this: the paper does not compare with a supervised term, and it compares equal numbers of updates. Against the best baseline GHPO changes accuracy over training by ${f.effect(0)} over ${f.count} seeds. Final accuracy is ${f.mean("GHPO", "accuracy")} (GRPO ${f.mean("GRPO", "accuracy")}, with a supervised term ${f.mean("GRPO with a supervised term", "accuracy")}, sampling again without hints ${f.mean("GHPO, sampling again without hints", "accuracy")}), on ten digits ${f.mean("GHPO", "solved/8")} (GRPO ${f.mean("GRPO", "solved/8")}). It makes ${f.mean("GHPO", "updates")} updates (GRPO ${f.mean("GRPO", "updates")}), because problems are sampled up to four times.`,
});
