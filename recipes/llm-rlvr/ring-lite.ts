import { grpo } from "@reins/algorithms";
import { arm, sums } from "../testbeds/sums.ts";
import { c3po } from "./ring-lite.parts.ts";

/** Four fifths of the tokens of an average batch. */
const budget = 1000;

export default sums.recipe({
  id: "ring-lite",
  paper: "Ring-lite: Scalable Reasoning via C3PO-Stabilized Reinforcement Learning for LLMs",
  source: {
    paper: "arXiv:2506.14731",
    equations:
      "the loss of C3PO and its selection of tokens by a budget, after public accounts of the report",
  },
  about:
    "Lengths of answers differ within and between batches, and with them the size of gradients. C3PO computes rewards and advantages of all answers, and then trains on a fixed number of tokens: answers are added until the budget is reached, the last is truncated, and the sum of the tokens' losses is divided by the budget. Claimed: smaller gradient norms, stable training and throughput, and results of larger models.",
  system: arm("C3PO", grpo, {}, { parts: c3po({ budget, selects: true }) }),
  ablation: arm("C3PO without selection", grpo, {}, { parts: c3po({ budget, selects: false }) }),
  presupposes: {
    mixed: {
      least: 0.1,
      because: "lengths differ between levels: where these are equally hard their weights do not matter",
    },
  },
  claims: [{ metric: "area", paper: "stable training where GRPO collapses" }],
  deviations: [
    "Answers have three to eight tokens, and the tokens of a batch differ by about a twentieth, where the report has thousands and lengths that grow.",
    "Answers are chosen at random. Without selection the loss is still divided by the budget. The entropy term, the losses of experts, and the choice of the first checkpoint are left out.",
  ],
  finding: (f) =>
    `Against the best baseline C3PO changes accuracy over training by ${f.effect(0)} over ${f.count} seeds. The gradient norm is ${f.mean("C3PO", "gradient/norm")} (GRPO ${f.mean("GRPO", "gradient/norm")}, without selection ${f.mean("C3PO without selection", "gradient/norm")}). Final accuracy is ${f.mean("C3PO", "accuracy")} (GRPO ${f.mean("GRPO", "accuracy")}, without selection ${f.mean("C3PO without selection", "accuracy")}), at the hardest level ${f.mean("C3PO", "solved/6")} (GRPO ${f.mean("GRPO", "solved/6")}).`,
});
