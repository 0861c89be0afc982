import { grpo } from "@reins/algorithms";
import type { Task } from "@reins/core";
import { groupEpisodes } from "@reins/core/episodes";
import { solveRate, twoPhases } from "../shared/two-phases.ts";
import { arm, sums } from "../testbeds/sums.ts";

/**
 * Samples that a problem gets in addition to its first n, by its solve rate: enough for the sum of absolute advantages
 * to be 2 (1 − rate) times that at a rate of one half (the hardness-weighted schedule).
 */
export function extra(rate: number, n: number, most = 64): number {
  const p = rate === 0 ? 0.5 / n : rate;
  if (p >= 0.5) return 0;
  const mean = 2 * Math.sqrt(p * (1 - p));
  return Math.min(most - n, Math.ceil((2 * (1 - p) * n) / mean - n));
}

/** A second phase of samples for each problem, after which problems without both outcomes are dropped. */
const phases = (more: typeof extra) => (given: Task) =>
  twoPhases(given, {
    more,
    choose: (judged) =>
      groupEpisodes(judged)
        .filter((g) => solveRate(g) > 0 && solveRate(g) < 1)
        .flat(),
  });

export default sums.recipe({
  id: "dars",
  paper: "Depth-Breadth Synergy in RLVR: Unlocking LLM Reasoning Gains with Adaptive Exploration",
  source: {
    paper: "arXiv:2508.13755",
    code: "yangzhch6/DARS",
    equations: "schedule_HW and the second sampling in ray_dars_trainer.py",
  },
  about:
    "The absolute advantages of a group sum to most at a solve rate of one half, so hard problems count little. DARS estimates the solve rate with a first group and samples problems below one half again, the harder the more often, until their advantages sum to more than those of a medium one. Problems without both outcomes are dropped. Claimed: more problems solved among K samples, and with large batches a higher accuracy too.",
  system: arm("DARS", grpo, {}, { parts: phases(extra) }),
  ablation: arm("DARS, as many samples for all", grpo, {}, { parts: phases((_, n) => n) }),
  presupposes: { hard: { least: 0.3, because: "the second phase is for problems that are rarely solved" } },
  claims: [{ metric: "area", paper: "higher Pass@1 with large batches" }],
  deviations: [
    "Accuracy at equal numbers of generated tokens; the paper compares equal updates, and reports Pass@K first.",
    "The first group has eight samples, and a problem has at most 64 in all, with advantages divided by the standard deviation. A batch is used whole in every epoch, as in the paper's DARS-Breadth.",
  ],
  finding: (f) =>
    `The evidence is against the claim: at equal tokens DARS falls behind tuned baselines, by an uncertain amount. What speaks against this: the paper compares equal updates and reports Pass@K, and DARS makes fewer than half as many updates here. Against the best baseline DARS changes accuracy over training by ${f.effect(0)} over ${f.count} seeds. It draws ${f.mean("DARS", "answers")} answers per problem and makes ${f.mean("DARS", "updates")} updates (GRPO ${f.mean("GRPO", "answers")} and ${f.mean("GRPO", "updates")}). The share of groups with equal rewards is ${f.mean("DARS", "flat")} (GRPO ${f.mean("GRPO", "flat")}). Accuracy at the hardest level ends at ${f.mean("DARS", "solved/6")} (GRPO ${f.mean("GRPO", "solved/6")}, with as many samples for all problems ${f.mean("DARS, as many samples for all", "solved/6")}).`,
});
