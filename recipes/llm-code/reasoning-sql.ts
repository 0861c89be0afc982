import { grpo } from "@reins/algorithms";
import { codeReward } from "../shared/code-rewards.ts";
import { arm, code } from "../testbeds/code.ts";
import { partialRewards } from "./reasoning-sql.parts.ts";

export default code.recipe({
  id: "reasoning-sql",
  paper:
    "Reasoning-SQL: Reinforcement Learning with SQL Tailored Partial Rewards for Reasoning-Enhanced Text-to-SQL",
  source: {
    paper: "arXiv:2503.23157",
    code: "MohammadrezaPourreza/RLForSQL",
    equations:
      "reward functions of grpo_training.py, schema_linking_scorer in utils/database_manager.py, utils/ngrams.py",
  },
  about:
    "GRPO with partial rewards beside that of the right result: for a query that runs, for the share of the reference's tables and columns that it names, and for the Jaccard similarity of its pairs of words to those of the reference. Claimed: higher accuracy than with execution alone.",
  system: arm("partial rewards", grpo, {}, codeReward(partialRewards(true))),
  ablation: arm("execution and syntax", grpo, {}, codeReward(partialRewards(false))),
  presupposes: {
    flat: { least: 0.1, because: "partial rewards are for groups without a right program" },
    room: { least: 0.06, because: "three times the smallest effect must be left to gain" },
  },
  claims: [{ metric: "area", paper: "4 points over o3-mini on BIRD, at 14 billion weights" }],
  deviations: [
    "Programs for logic circuits stand for queries: inputs for tables and columns, registers for aliases, a run without an error for the syntax check.",
    "No language model judges wrong queries (up to 3 points), so the right result counts 2, as in the authors' program without that judge. No reasoning with tags is rewarded (0.5).",
  ],
  finding: (f) =>
    `Against the best baseline partial rewards change accuracy over training by ${f.effect(0)} over ${f.count} seeds. Final accuracy is ${f.mean("partial rewards", "accuracy")} (GRPO ${f.mean("GRPO", "accuracy")}, with the share of tests ${f.mean("GRPO, share of tests", "accuracy")}, with execution and syntax alone ${f.mean("execution and syntax", "accuracy")}). The share of groups with equal rewards is ${f.mean("partial rewards", "flat")} (GRPO ${f.mean("GRPO", "flat")}).`,
});
