import { grpo } from "@reins/algorithms";
import { lengthReward } from "../shared/length-rewards.ts";
import { arm, isDirect, lengths } from "../testbeds/lengths.ts";
import { adaCtrl } from "./adactrl.parts.ts";

const rewards = (calibrated: boolean) => ({
  change: lengthReward(adaCtrl({ isEasy: (a) => isDirect(a.text), calibrated })),
});
const settings = { clipHigh: 0.28 } as const;

export default lengths.recipe({
  id: "adactrl",
  paper: "AdaCtrl: Towards Adaptive and Controllable Reasoning via Difficulty-Aware Budgeting",
  source: {
    paper: "arXiv:2505.18822",
    code: "JoeYing1019/AdaCtrl",
    equations:
      "compute_diff_format and compute_diff_len in reward_manager/naive.py, fit() in ray_trainer.py, with the settings of qwen-7b.sh",
  },
  about:
    "The model begins an answer with the difficulty that it expects. Besides correctness it is rewarded if this agrees with the solve rate of the problem's group, easy above five eighths, and an answer that is declared easy has a higher reward the shorter it is. Groups with equal outcomes are dropped. Claimed: 62% and 91% fewer tokens on easy benchmarks, 10% and 12% on hard ones, at higher accuracy than with SFT and RL alone.",
  system: arm("AdaCtrl", grpo, settings, rewards(true)),
  ablation: arm("AdaCtrl without calibration", grpo, settings, rewards(false)),
  presupposes: {
    needless: { least: 0.2, because: "where every token is needed there is nothing to shorten" },
    graded: { least: 1, because: "where all problems need equally long reasoning there is one difficulty" },
    mixed: { least: 0.1, because: "where problems are equally hard there is nothing to declare" },
  },
  claims: [
    { metric: "term/net", paper: "91% fewer tokens on GSM8K and 10% on AIME 2024, at higher accuracy" },
  ],
  deviations: [
    "The first token is the declared difficulty: an answer that begins with the end of reasoning is declared easy, one that begins with reasoning hard. The model has both forms from its teacher, but no tags, so that an answer that is declared easy cannot be long.",
    "The batch is not refilled when groups are dropped. Control by the user, who may write the tag, is not measured.",
  ],
  finding: (f) =>
    `Against the best baseline AdaCtrl changes net accuracy by ${f.effect(0)} over ${f.count} seeds. It answers in ${f.mean("AdaCtrl", "tokens")} tokens with an accuracy of ${f.mean("AdaCtrl", "accuracy")} (GRPO ${f.mean("GRPO", "tokens")} and ${f.mean("GRPO", "accuracy")}, with a length penalty ${f.mean("length penalty", "tokens")} and ${f.mean("length penalty", "accuracy")}, without calibration ${f.mean("AdaCtrl without calibration", "tokens")} and ${f.mean("AdaCtrl without calibration", "accuracy")}). It declares ${f.mean("AdaCtrl", "term/direct/1")} of the shortest problems easy and ${f.mean("AdaCtrl", "term/direct/6")} of the longest (without calibration ${f.mean("AdaCtrl without calibration", "term/direct/1")} and ${f.mean("AdaCtrl without calibration", "term/direct/6")}).`,
});
