import { grpo } from "@reins/algorithms";
import { fewerCalls } from "../shared/tool-claims.ts";
import { groupedToolReward } from "../shared/tool-rewards.ts";
import { arm, tools } from "../testbeds/tools.ts";
import { ampo, sampleOf } from "./aml-ampo.parts.ts";

/** Rewards are advantages already. */
const given = { baseline: "none", scale: "none" } as const;
const by = (weighsModes: boolean) => groupedToolReward((group) => ampo(group.map(sampleOf), weighsModes));

export default tools.recipe({
  id: "aml-ampo",
  paper: "Think on your Feet: Adaptive Thinking via Reinforcement Learning for Social Agents",
  source: {
    paper: "arXiv:2505.02156",
    code: "MozerWang/AMPO",
    equations: "compute_mode_adv and compute_ampo_outcome_advantage in core_algos.py",
  },
  about:
    "An agent chooses between modes that think more or less before they act. AMPO adds the advantage of a sample's mode to that of the sample: modes are compared by their mean reward within a group, and where this is equal by their mean length, so that thought is saved where it does not help. Claimed: 15.6% higher scores than the best method before, and 7% more than GRPO with 33% shorter thoughts.",
  system: arm("AMPO", grpo, given, by(true)),
  ablation: arm("AMPO without the advantage of modes", grpo, given, by(false)),
  presupposes: {
    unneeded: { least: 0.1, because: "where all calls are needed no mode saves any" },
  },
  claims: [fewerCalls("33% shorter thoughts, and 7% more than GRPO"), "accuracy"],
  deviations: [
    "Modes are answering at once and answering after calls, in place of four depths of thought, and calls stand for thoughts. A group needs both modes, with two samples each; the authors need all four.",
    "The answer is correct or wrong; the paper's reward is a score of the conversation with a length penalty.",
  ],
  finding: (f) =>
    `Against the best baselines of calls and of accuracy AMPO changes them by ${f.effect(0)}, and accuracy alone by ${f.effect(1)}, over ${f.count} seeds. It makes ${f.mean("AMPO", "term/calls")} calls per question at an accuracy of ${f.mean("AMPO", "accuracy")} (GRPO ${f.mean("GRPO", "term/calls")} and ${f.mean("GRPO", "accuracy")}, PPO ${f.mean("PPO", "term/calls")} and ${f.mean("PPO", "accuracy")}, without the advantage of modes ${f.mean("AMPO without the advantage of modes", "term/calls")} and ${f.mean("AMPO without the advantage of modes", "accuracy")}). Where an answer can be memorised it calls ${f.mean("AMPO", "term/calls/1")} times (GRPO ${f.mean("GRPO", "term/calls/1")}).`,
});
