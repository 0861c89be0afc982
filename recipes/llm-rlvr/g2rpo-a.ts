import { arm, traces } from "../testbeds/traces.ts";
import { g2rpo } from "./g2rpo-a.parts.ts";

export default traces.recipe({
  id: "g2rpo-a",
  paper: "G$^2$RPO-A: Guided Group Relative Policy Optimization with Adaptive Guidance",
  source: {
    paper: "arXiv:2508.13023",
    code: "T-Lab-CUHKSZ/G2RPO-A",
    equations:
      "_compute_new_guidance_length, _prepare_inputs (guided samples) and compute_loss in g2rpoa_trainer.py",
  },
  about:
    "One sample in six of each group continues the first tokens of the trace, which are trained on like the sample's own. Every third update multiplies the length of this guidance by the mean accuracy of the two updates before over the current one: guidance shrinks while accuracy rises and grows when it falls. Claimed: substantially better than GRPO on mathematics and code with small models.",
  system: arm("G²RPO-A", g2rpo(true)),
  ablation: arm("Guided GRPO with a fixed length", g2rpo(false)),
  presupposes: {
    start: { least: 0.3, because: "guidance is for problems that are hardly ever solved without it" },
  },
  claims: [{ metric: "area", paper: "substantially higher accuracy; the paper's tables differ by task" }],
  deviations: [
    "Guidance starts at five tokens of ten at most and leaves at least the last token to the model; the authors' program starts at the maximum of 3072 tokens.",
  ],
  finding: (f) =>
    `The claim is reversed: guidance of one sample in six helps neither against a supervised term nor against GRPO alone, and adapting its length changes little. What speaks against this: answers have ten tokens, so that the first half of a trace gives away much of the solution and leaves little to learn. Against the best baseline G²RPO-A changes accuracy over training by ${f.effect(0)} over ${f.count} seeds. Final accuracy is ${f.mean("G²RPO-A", "accuracy")} (GRPO ${f.mean("GRPO", "accuracy")}, with a supervised term ${f.mean("GRPO with a supervised term", "accuracy")}, with a fixed length ${f.mean("Guided GRPO with a fixed length", "accuracy")}), on ten digits ${f.mean("G²RPO-A", "solved/8")} (GRPO ${f.mean("GRPO", "solved/8")}). The share of groups with equal rewards is ${f.mean("G²RPO-A", "flat")} (GRPO ${f.mean("GRPO", "flat")}).`,
});
