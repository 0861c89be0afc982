import { grpo } from "@reins/algorithms";
import type { Stage } from "@reins/core";
import type { TextStageOptions } from "@reins/language";
import { arm, sums } from "../testbeds/sums.ts";
import { lookaheadTrees } from "./latr.rollout.ts";

/** Tokens of a tree are not sampled from the policy: as in the authors' program, ratios are relative to the policy at the start of the update. */
const latr = grpo.with("latr", { look: (scored) => ({ logProb: scored.logProb }) });
const trees = (lookahead: boolean) => ({
  change: (stage: Stage, options: TextStageOptions) => ({
    ...stage,
    play: lookaheadTrees(stage, options, lookahead),
  }),
});

export default sums.recipe({
  id: "latr",
  paper:
    "Lookahead Tree-Based Rollouts for Enhanced Trajectory-Level Exploration in Reinforcement Learning with Verifiable Rewards",
  source: {
    paper: "arXiv:2510.24302",
    code: "starreeze/latr",
    equations:
      "generate in model/generation.py, ProbFilter and RolloutFilter in model/sample_filter.py, settings of scripts/grpo-kt-countdown.sh",
  },
  about:
    "A group of samples grows as a tree. Where the second most likely token has a probability above 0.25 and is within 0.15 of the first, the text branches; branches that are still similar to their parents some tokens later are pruned. When the group is full its texts are completed by sampling. The share of samples from trees falls from all to none in the first two fifths of training. Claimed: learning 131% faster and 4.2% higher accuracy, with GRPO and DAPO.",
  system: arm("LATR", latr, {}, trees(true)),
  ablation: arm("LATR without pruning", latr, {}, trees(false)),
  presupposes: {
    flat: { least: 0.1, because: "where all groups have both outcomes they are diverse enough" },
  },
  claims: [{ metric: "area", paper: "131% faster, 4.2 points at the end" }],
  deviations: [
    "Branches are compared with their parents after three tokens in place of 20, 30 and 50, because answers have at most eight.",
    "Tokens of a shared prefix are counted once, tokens of pruned branches too.",
  ],
  finding: (f) =>
    `Against the best baseline LATR changes accuracy over training by ${f.effect(0)} over ${f.count} seeds. The share of groups with equal rewards is ${f.mean("LATR", "flat")} (GRPO ${f.mean("GRPO", "flat")}, without pruning ${f.mean("LATR without pruning", "flat")}). Final accuracy is ${f.mean("LATR", "accuracy")} (GRPO ${f.mean("GRPO", "accuracy")}), at the hardest level ${f.mean("LATR", "solved/6")} (GRPO ${f.mean("GRPO", "solved/6")}).`,
});
