import { grpo } from "@reins/algorithms";
import { lengthReward } from "../shared/length-rewards.ts";
import { arm, lengths, longest } from "../testbeds/lengths.ts";
import { openRs } from "./open-rs.parts.ts";

const rewards = (scaled: boolean) => ({
  change: lengthReward(openRs({ limit: longest, mark: "#", scaled })),
});

export default lengths.recipe({
  id: "open-rs",
  paper: "Reinforcement Learning for Reasoning in Small LLMs: What Works and What Doesn't",
  source: {
    paper: "arXiv:2503.16219",
    code: "knoveleng/open-rs",
    equations:
      "get_cosine_scaled_reward and format_reward in rewards.py, with the ranges in grpo.py and the weights in recipes/grpo.yaml",
  },
  about:
    "GRPO with a reward for the format and, with twice its weight, a reward for correctness that falls along a cosine with the length: from 1 to 1/2 for correct answers, from 0 to −1/2 for wrong ones. Claimed: the cosine keeps lengths stable where a reward for correctness alone lets them grow, at a high accuracy for little compute.",
  system: arm("Open-RS", grpo, {}, rewards(true)),
  ablation: arm("Open-RS without the cosine", grpo, {}, rewards(false)),
  presupposes: {
    needless: { least: 0.2, because: "where every token is needed there is nothing to shorten" },
    spread: { least: 1, because: "where lengths are equal the cosine is a constant" },
  },
  claims: [{ metric: "term/net", paper: "stable lengths with the cosine, growing ones without" }],
  deviations: [
    "The format is one end of reasoning, in place of tags. Lengths are in tokens, in place of characters.",
    "Mixing easy and hard problems, the paper's other finding, is not varied.",
  ],
  finding: (f) =>
    `Against the best baseline Open-RS changes net accuracy by ${f.effect(0)} over ${f.count} seeds. It answers in ${f.mean("Open-RS", "tokens")} tokens with an accuracy of ${f.mean("Open-RS", "accuracy")} (GRPO ${f.mean("GRPO", "tokens")} and ${f.mean("GRPO", "accuracy")}, with a length penalty ${f.mean("length penalty", "tokens")} and ${f.mean("length penalty", "accuracy")}, without the cosine ${f.mean("Open-RS without the cosine", "tokens")} and ${f.mean("Open-RS without the cosine", "accuracy")}).`,
});
