import { grpo } from "@reins/algorithms";
import { lengthReward } from "../shared/length-rewards.ts";
import { arm, isDirect, lengths, tokens } from "../testbeds/lengths.ts";
import { autoThink } from "./autothink.parts.ts";

const stages = (balances: boolean) => ({
  change: lengthReward(autoThink({ isDirect: (a) => isDirect(a.text), tokens, balances })),
});

export default lengths.recipe({
  id: "autothink",
  paper: "Learning When to Think: Shaping Adaptive Reasoning in R1-Style Models via Multi-Stage RL",
  source: {
    paper: "arXiv:2505.10832",
    code: "TU2021/AutoThink",
    equations:
      "_reweight_rewards in main_ppo.py and RewardConfig in reward_types.py, with the settings of train_stage1.sh to train_stage3.sh",
  },
  about:
    "Correct answers without reasoning have a reward of 2, with reasoning of 1; wrong answers without reasoning −1, with reasoning 0. In the first of three stages rewards fall in a mode that more than half of the batch uses, so that neither mode collapses; the second has the rewards as they are; in the third shorter correct answers have more. Claimed: 52% fewer tokens at 6.4% more relative accuracy.",
  system: arm("AutoThink", grpo, {}, stages(true)),
  ablation: arm("AutoThink without balance", grpo, {}, stages(false)),
  presupposes: {
    needless: { least: 0.2, because: "where every token is needed there is nothing to shorten" },
    graded: { least: 1, because: "where all problems need equally long reasoning there is one mode" },
  },
  claims: [{ metric: "term/net", paper: "52% fewer tokens at 6.4% more relative accuracy" }],
  deviations: [
    "Both modes come from the imitated teacher in place of an ellipsis in the prompt. An answer that begins with the end of reasoning is one without reasoning.",
    "Each stage has a third of the tokens. Length limits are equal in all stages.",
  ],
  finding: (f) =>
    `Against the best baseline AutoThink changes net accuracy by ${f.effect(0)} over ${f.count} seeds. It answers in ${f.mean("AutoThink", "tokens")} tokens with an accuracy of ${f.mean("AutoThink", "accuracy")} (GRPO ${f.mean("GRPO", "tokens")} and ${f.mean("GRPO", "accuracy")}, with a length penalty ${f.mean("length penalty", "tokens")} and ${f.mean("length penalty", "accuracy")}). Without reasoning it answers ${f.mean("AutoThink", "term/direct/1")} of the shortest problems and ${f.mean("AutoThink", "term/direct/6")} of the longest (without balance ${f.mean("AutoThink without balance", "term/direct/1")} and ${f.mean("AutoThink without balance", "term/direct/6")}).`,
});
