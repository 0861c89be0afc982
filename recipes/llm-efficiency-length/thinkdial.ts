import { grpo } from "@reins/algorithms";
import { arm, lengths, tokens } from "../testbeds/lengths.ts";
import { thinkDial } from "./thinkdial.parts.ts";

/** Settings of DAPO. */
const settings = { clipHigh: 0.28, filter: "flat" } as const;

export default lengths.recipe({
  id: "thinkdial",
  paper: "ThinkDial: An Open Recipe for Controlling Reasoning Effort in Large Language Models",
  source: {
    paper: "arXiv:2508.18773",
    equations: "(2) to (5), and the weights and numbers of steps in section 4.1",
  },
  about:
    "The prompt announces one of three modes of reasoning. After a warm-up in the high mode, with rewards for correctness only, problems are sampled in all modes. A reward for length, relative to the shortest and the longest answer of the group, has the weight 0 in the high mode, 1/2 in the medium one and 1 in the low one; reasoning after the end of reasoning is penalised. Claimed: half the tokens in the medium mode and a quarter in the low one, for losses of less than 10% and 15% of accuracy.",
  system: arm("ThinkDial", grpo, settings, { parts: thinkDial({ tokens, apart: true }) }),
  ablation: arm("ThinkDial with one weight", grpo, settings, { parts: thinkDial({ tokens, apart: false }) }),
  presupposes: {
    needless: { least: 0.2, because: "where every token is needed there is nothing to shorten" },
    spread: { least: 1, because: "the shortest answer is rewarded only if lengths differ" },
  },
  claims: [
    { metric: "term/net", paper: "75% fewer tokens in the low mode, for less than 15% of the accuracy" },
  ],
  deviations: [
    "The low mode is evaluated, which is the prompt without an announcement. The high and the medium mode are the announcements of 12 and of 9 tokens; the imitated teacher connects them with short enough answers and gives the low mode no form of its own, where the paper imitates truncated reasoning in it.",
    "A mode is chosen for each problem of a batch in turn. The phases have 70% and 30% of the tokens, in place of 95 and 40 steps.",
    "Reasoning after the end of reasoning is every letter beyond the first, in place of keywords. A group of equal lengths has no reward for length.",
  ],
  finding: (f) =>
    `Against the best baseline ThinkDial in its low mode changes net accuracy by ${f.effect(0)} over ${f.count} seeds. It answers in ${f.mean("ThinkDial", "tokens")} tokens with an accuracy of ${f.mean("ThinkDial", "accuracy")} (GRPO ${f.mean("GRPO", "tokens")} and ${f.mean("GRPO", "accuracy")}, with a length penalty ${f.mean("length penalty", "tokens")} and ${f.mean("length penalty", "accuracy")}, with one weight in all modes ${f.mean("ThinkDial with one weight", "tokens")} and ${f.mean("ThinkDial with one weight", "accuracy")}). The shortest problems take ${f.mean("ThinkDial", "tokens/1")} tokens, the longest ${f.mean("ThinkDial", "tokens/6")}.`,
});
