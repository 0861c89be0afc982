import { grpo } from "@reins/algorithms";
import { arm, code } from "../testbeds/code.ts";
import { hierarchical } from "./chipseek-r1.parts.ts";

/** Advantages are those of the stages. */
const settings = { baseline: "none", scale: "none", clipHigh: 0.28 } as const;

export default code.recipe({
  id: "chipseek-r1",
  paper:
    "ChipSeek-R1: Generating Human-Surpassing RTL with LLM via Hierarchical Reward-Driven Reinforcement Learning",
  source: {
    paper: "arXiv:2507.04736",
    equations: "(1) to (7) of version 2, as restated with worked numbers in public notes on the paper",
  },
  about:
    "Hardware designs are rewarded in stages, each unlocked by the one before: a design that compiles, one that works, and the area of the reference relative to its own. Advantages are relative to the group for each stage, and added; the weight of compilation falls as it succeeds. Claimed: higher functional correctness, and designs that are better than those of humans.",
  system: arm("ChipSeek", grpo, settings, hierarchical(true)),
  ablation: arm("ChipSeek without area", grpo, settings, hierarchical(false)),
  presupposes: {
    needless: { least: 0.05, because: "if every statement is needed, a program cannot become smaller" },
    compile: { least: 0.01, because: "the first stage is for programs that do not compile" },
  },
  claims: [
    { metric: "term/lean", paper: "27 designs of RTLLM surpass the human originals" },
    { kind: "no-worse", metric: "accuracy", paper: "state of the art in functional correctness" },
  ],
  deviations: [
    "Area, the number of statements, is the only cost: power and delay, preferences among the three in the prompt, synthesis, and the format stage are left out.",
    "Groups with equal rewards in every stage have no advantage, as in the paper, and are not replaced by others.",
  ],
  finding: (f) =>
    `Against the best baseline ChipSeek changes needed statements per statement, with 0 for a wrong program, by ${f.effect(0)}, and accuracy by ${f.effect(1)} over ${f.count} seeds. Accuracy is ${f.mean("ChipSeek", "accuracy")} (GRPO ${f.mean("GRPO", "accuracy")}, without area ${f.mean("ChipSeek without area", "accuracy")}), needed statements per statement ${f.mean("ChipSeek", "term/lean")} (GRPO ${f.mean("GRPO", "term/lean")}, without area ${f.mean("ChipSeek without area", "term/lean")}).`,
});
