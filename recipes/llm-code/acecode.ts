import { ppo } from "@reins/algorithms";
import { codeReward } from "../shared/code-rewards.ts";
import { code, criticArm } from "../testbeds/code.ts";
import { timed } from "./acecode.parts.ts";

export default code.recipe({
  id: "acecode",
  paper:
    "ACECode: A Reinforcement Learning Framework for Aligning Code Efficiency and Correctness in Code Language Models",
  source: {
    paper: "arXiv:2412.17264",
    equations:
      "the reward of a correct program, 0.5 + 0.5 min((reference time / time)^k, 1), as restated in public reviews",
  },
  about:
    "PPO with a reward from running the program: half a point if it passes all tests, and up to half a point more the nearer its running time is to that of a reference. No reward model is trained. Claimed: higher accuracy and a shorter running time.",
  system: criticArm("ACECode", ppo, {}, codeReward(timed(true))),
  ablation: criticArm("ACECode without efficiency", ppo, {}, codeReward(timed(false))),
  presupposes: {
    needless: { least: 0.05, because: "where every statement is needed there is no time to save" },
  },
  claims: [
    { metric: "term/lean", paper: "a shorter running time in 65% to 72% of the cases" },
    { kind: "no-worse", metric: "accuracy", paper: "pass@1 higher by 1.84 to 14.51 points" },
  ],
  deviations: [
    "A program that fails a test, stops or does not compile has no reward: the paper's values for such programs could not be read. The exponent k is 1.",
    "Time is the number of statements, the same in every run; the authors measure seconds against programs written by humans. The reference is the shortest program that follows the description.",
  ],
  finding: (f) =>
    `Against the best baseline ACECode changes needed statements per statement, with 0 for a wrong program, by ${f.effect(0)}, and accuracy by ${f.effect(1)} over ${f.count} seeds. Accuracy is ${f.mean("ACECode", "accuracy")} (PPO ${f.mean("PPO", "accuracy")}, GRPO ${f.mean("GRPO", "accuracy")}, without efficiency ${f.mean("ACECode without efficiency", "accuracy")}), needed statements per statement ${f.mean("ACECode", "term/lean")} (PPO ${f.mean("PPO", "term/lean")}, GRPO ${f.mean("GRPO", "term/lean")}, without efficiency ${f.mean("ACECode without efficiency", "term/lean")}).`,
});
