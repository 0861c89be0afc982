import { grpo } from "@reins/algorithms";
import { arm, lengths } from "../testbeds/lengths.ts";
import { lapo } from "./lapo.parts.ts";

export default lengths.recipe({
  id: "lapo",
  paper: "LAPO: Internalizing Reasoning Efficiency via Length-Adaptive Policy Optimization",
  source: {
    paper: "arXiv:2507.15758",
    code: "ZJU-REAL/LAPO",
    equations: "reward_func_stage1.py, reward_func_stage2.py, and preprocess_data in prompts_dataset.py",
  },
  about:
    "In stage 1 a correct answer has a higher reward if its length is between the 30th and the 70th percentile of the correct answers to its problem, and the median is recorded. In stage 2 the prompt announces this median as a plan, and a correct answer has a higher reward the nearer it is to the plan. A plan becomes shorter when the median of correct answers does. Claimed: 40.9% fewer tokens at 2.3 points more accuracy.",
  system: arm("LAPO", grpo, {}, { parts: lapo(true) }),
  ablation: arm("LAPO, stage 1 only", grpo, {}, { parts: lapo(false) }),
  presupposes: {
    needless: { least: 0.2, because: "where every token is needed there is nothing to shorten" },
    spread: { least: 1, because: "a range of lengths needs answers of different lengths" },
  },
  claims: [{ metric: "term/net", paper: "40.9% fewer tokens and 2.3 points more accuracy" }],
  deviations: [
    "Each stage has half of the tokens. The announced plan is rounded up to 3, 6, 9 or 12 tokens, the budgets that the imitated teacher has announced. Evaluation announces no plan.",
    "The reward of stage 1 ends 4 tokens beyond the range and the deviation of stage 2 is 2 tokens, in place of 100 and 120 tokens for answers of up to 4,096. A range of one length counts as a range.",
  ],
  finding: (f) =>
    `Against the best baseline LAPO changes net accuracy by ${f.effect(0)} over ${f.count} seeds. It answers in ${f.mean("LAPO", "tokens")} tokens with an accuracy of ${f.mean("LAPO", "accuracy")} (GRPO ${f.mean("GRPO", "tokens")} and ${f.mean("GRPO", "accuracy")}, with a length penalty ${f.mean("length penalty", "tokens")} and ${f.mean("length penalty", "accuracy")}, with stage 1 only ${f.mean("LAPO, stage 1 only", "tokens")} and ${f.mean("LAPO, stage 1 only", "accuracy")}).`,
});
