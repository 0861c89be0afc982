import { grpo } from "@reins/algorithms";
import { lengthReward } from "../shared/length-rewards.ts";
import { arm, lengths, longest } from "../testbeds/lengths.ts";
import { laserD } from "./laser-d.parts.ts";

export default lengths.recipe({
  id: "laser-d",
  paper: "Learn to Reason Efficiently with Adaptive Length-based Reward Shaping",
  source: {
    paper: "arXiv:2505.15612",
    code: "hkust-nlp/Laser",
    equations:
      "compute_length_reward_larse_d and _choose_target_length in length_penalty.py, with the settings of laser-d-1.5b-l4096.sh",
  },
  about:
    "A correct answer gets half a point more if it is within a target length. Problems are divided into three bands by their solve rate. The target of a band is the shortest length within which one of the required correct answers is expected: one in five of the answers to easy problems, half of those to medium problems, all of those to hard ones. Targets are estimated anew during training. Claimed: fewer tokens at higher accuracy than with a fixed target.",
  system: arm("LASER-D", grpo, {}, { change: lengthReward(laserD(longest, true)) }),
  ablation: arm("LASER-D with one band", grpo, {}, { change: lengthReward(laserD(longest, false)) }),
  presupposes: {
    needless: { least: 0.2, because: "where every token is needed there is nothing to shorten" },
    mixed: { least: 0.1, because: "where problems are equally hard there is one band" },
  },
  claims: [{ metric: "term/net", paper: "6.1 points on AIME 2024 with 63% fewer tokens" }],
  deviations: [
    "Targets are estimated from the last five batches, in place of 500 monitored problems after every 20 updates, so that no tokens are spent on monitoring. They may be any length.",
    "The bonus is that of the authors' program and is not tuned. With one band the target is that of medium problems.",
  ],
  finding: (f) =>
    `Against the best baseline LASER-D changes net accuracy by ${f.effect(0)} over ${f.count} seeds. It answers in ${f.mean("LASER-D", "tokens")} tokens with an accuracy of ${f.mean("LASER-D", "accuracy")} (GRPO ${f.mean("GRPO", "tokens")} and ${f.mean("GRPO", "accuracy")}, with a length penalty ${f.mean("length penalty", "tokens")} and ${f.mean("length penalty", "accuracy")}, with one band ${f.mean("LASER-D with one band", "tokens")} and ${f.mean("LASER-D with one band", "accuracy")}). The shortest problems take ${f.mean("LASER-D", "tokens/1")} tokens, the longest ${f.mean("LASER-D", "tokens/6")}.`,
});
