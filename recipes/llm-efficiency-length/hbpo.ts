import { grpo } from "@reins/algorithms";
import { lengthReward } from "../shared/length-rewards.ts";
import { arm, budgets, lengths } from "../testbeds/lengths.ts";
import { cosine, hierarchical, withBudgets } from "./hbpo.parts.ts";

/** L, at which rewards reach 0: the largest budget is five eighths of it, as in the paper. */
const limit = (budgets[3] * 4096) / 2560;
/** Advantages are those that the reward function computes. */
const given = { baseline: "none", scale: "none" } as const;

export default lengths.recipe({
  id: "hbpo",
  paper: "Hierarchical Budget Policy Optimization for Adaptive Reasoning",
  source: {
    paper: "arXiv:2507.15844",
    code: "ZJU-REAL/HBPO",
    equations: "reward, f1, f2 and Algorithm 1 in paper.txt; β = 4 and α = 1 / L in math_reward.py",
  },
  about:
    "The samples of a problem are divided into four subgroups, whose prompts announce token budgets. A correct answer within its budget has a reward that falls with the budget; beyond the budget it falls with the length and with the excess. An advantage compares a sample with all samples of the problem, and its subgroup with the best reward of its budget. Without a budget in the prompt the model then chooses its own length. Claimed: 60.6% fewer tokens at 3.14 points more accuracy, where a length penalty loses long reasoning.",
  system: arm("HBPO", grpo, given, {
    parts: withBudgets(budgets),
    change: lengthReward(hierarchical(budgets, limit)),
  }),
  ablation: arm("cosine reward without budgets", grpo, given, { change: lengthReward(cosine(limit)) }),
  presupposes: {
    needless: { least: 0.2, because: "where every token is needed there is nothing to shorten" },
    graded: { least: 1, because: "where all problems need equally long reasoning there is one budget" },
  },
  claims: [{ metric: "term/net", paper: "60.6% fewer tokens and 3.14 points more accuracy" }],
  deviations: [
    "Budgets are 3, 6, 9 and 12 tokens in place of 512, 1,024, 2,048 and 2,560. The model has learned from its teacher what a budget is; in half of the imitated prompts the smallest sufficient one is announced.",
    "The subgroup's term is added once, as in the paper; the authors' program adds it twice. Evaluation announces no budget.",
  ],
  finding: (f) =>
    `Against the best baseline HBPO changes net accuracy by ${f.effect(0)} over ${f.count} seeds. It answers in ${f.mean("HBPO", "tokens")} tokens with an accuracy of ${f.mean("HBPO", "accuracy")} (GRPO ${f.mean("GRPO", "tokens")} and ${f.mean("GRPO", "accuracy")}, with a length penalty ${f.mean("length penalty", "tokens")} and ${f.mean("length penalty", "accuracy")}, with the cosine reward ${f.mean("cosine reward without budgets", "tokens")} and ${f.mean("cosine reward without budgets", "accuracy")}). The shortest problems take ${f.mean("HBPO", "tokens/1")} tokens, the longest ${f.mean("HBPO", "tokens/6")}.`,
});
