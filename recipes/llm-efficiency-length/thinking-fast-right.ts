import { grpo } from "@reins/algorithms";
import { lengthReward } from "../shared/length-rewards.ts";
import { arm, lengths, price } from "../testbeds/lengths.ts";
import { adaptivePenalty } from "./thinking-fast-right.parts.ts";

/** The penalty begins at the price of a token. */
const penalty = (rate: number) => ({ change: lengthReward(adaptivePenalty({ start: price, rate })) });

export default lengths.recipe({
  id: "thinking-fast-right",
  paper: "Thinking Fast and Right: Balancing Accuracy and Reasoning Length with Adaptive Rewards",
  source: {
    paper: "arXiv:2505.18298",
    code: "JinyanSu1/A-DLP",
    equations:
      "constrained_reward_fn in main_ppo.py (reward) and fit() in ray_trainer.py (update of the penalty), with the settings of train.sh",
  },
  about:
    "The reward is 1 for a correct answer minus a penalty per token. After each batch the penalty rises in proportion to the accuracy of the batch above a reference, the accuracy at the start, and falls while accuracy is below it. Claimed: half the tokens at nearly the same accuracy, where fixed penalties are either slow or collapse.",
  system: arm("A-DLP", grpo, {}, penalty(price)),
  ablation: arm("S-DLP, a fixed penalty", grpo, {}, penalty(0)),
  presupposes: {
    needless: { least: 0.2, because: "where every token is needed there is nothing to shorten" },
    room: { least: 0.05, because: "the penalty follows changes of accuracy" },
  },
  claims: [{ metric: "term/net", paper: "more than 50% fewer tokens with a minimal loss of accuracy" }],
  deviations: [
    "The first penalty and its rate are equal, as in the authors' settings (0.001 each, for answers of up to 8,192 tokens). Here they are the price of a token.",
    "The reference is the accuracy of the first batch; the authors set it to the measured accuracy of their model.",
  ],
  finding: (f) =>
    `Against the best baseline A-DLP changes net accuracy by ${f.effect(0)} over ${f.count} seeds. It answers in ${f.mean("A-DLP", "tokens")} tokens with an accuracy of ${f.mean("A-DLP", "accuracy")} (GRPO ${f.mean("GRPO", "tokens")} and ${f.mean("GRPO", "accuracy")}, with a tuned length penalty ${f.mean("length penalty", "tokens")} and ${f.mean("length penalty", "accuracy")}, with a fixed penalty that is not tuned ${f.mean("S-DLP, a fixed penalty", "tokens")} and ${f.mean("S-DLP, a fixed penalty", "accuracy")}).`,
});
