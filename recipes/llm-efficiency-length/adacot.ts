import { grpo } from "@reins/algorithms";
import { arm, lengths, tokens } from "../testbeds/lengths.ts";
import { adaCot } from "./adacot.parts.ts";

export default lengths.recipe({
  id: "adacot",
  paper: "AdaCoT: Pareto-Optimal Adaptive Chain-of-Thought Triggering via Reinforcement Learning",
  source: {
    paper: "arXiv:2505.11896",
    equations: "(4) and (5), with the coefficients of experiment 2 in section 3.2.1",
  },
  about:
    "The first token after the beginning of reasoning decides whether there is any. Problems are labelled beforehand as needing reasoning or not. A first stage trains on problems that need it, with the decision left out of the loss, so that the model does not unlearn to answer directly. The second stage trains on all problems, with a penalty for reasoning that is missing and one for reasoning that is not needed. Claimed: 69% fewer tokens in production at nearly the accuracy of full reasoning; without the masked decision the model always reasons.",
  system: arm("AdaCoT", grpo, {}, { parts: adaCot({ tokens, masks: true }) }),
  ablation: arm("AdaCoT without masking", grpo, {}, { parts: adaCot({ tokens, masks: false }) }),
  presupposes: {
    needless: { least: 0.2, because: "where every token is needed there is nothing to shorten" },
    graded: {
      least: 1,
      because: "the decision matters only if problems need reasoning of different lengths",
    },
  },
  claims: [{ metric: "term/net", paper: "69% fewer tokens, 2 points below full reasoning" }],
  deviations: [
    "GRPO in place of PPO with a critic. Each stage has half of the tokens.",
    "The label is the number of digits, six or more needing reasoning, in place of the judgement of an auxiliary model.",
    "A masked step has the advantage 0; it still counts in the mean over the steps of a batch.",
  ],
  finding: (f) =>
    `Against the best baseline AdaCoT changes net accuracy by ${f.effect(0)} over ${f.count} seeds. It answers in ${f.mean("AdaCoT", "tokens")} tokens with an accuracy of ${f.mean("AdaCoT", "accuracy")} (GRPO ${f.mean("GRPO", "tokens")} and ${f.mean("GRPO", "accuracy")}, with a length penalty ${f.mean("length penalty", "tokens")} and ${f.mean("length penalty", "accuracy")}, without masking ${f.mean("AdaCoT without masking", "tokens")} and ${f.mean("AdaCoT without masking", "accuracy")}). Without reasoning it answers ${f.mean("AdaCoT", "term/direct/1")} of the shortest problems and ${f.mean("AdaCoT", "term/direct/6")} of the longest (without masking ${f.mean("AdaCoT without masking", "term/direct/1")} and ${f.mean("AdaCoT without masking", "term/direct/6")}).`,
});
