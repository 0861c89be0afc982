import { grpo } from "@reins/algorithms";
import type { Selection, Task, TaskItem } from "@reins/core";
import { groupEpisodes, scoreOf } from "@reins/core/episodes";
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
const secondPhase = (more: (rate: number, n: number) => number) => (given: Task) => {
  let [first, second, update]: [TaskItem[], TaskItem[], number] = [[], [], 0];
  const rateOf = (group: Parameters<Selection["select"]>[0]) =>
    group.filter((j) => scoreOf(j) >= 1).length / group.length;
  const both: Task & Selection = {
    next(statistics) {
      if (second.length === 0)
        return (first = given.next(statistics).map((p, i) => ({ ...p, group: `${update}:${i}` })));
      return second;
    },
    select(judged) {
      const groups = groupEpisodes(judged);
      if (second.length === 0) {
        const rates = new Map(groups.map((g) => [g[0].episode.group, rateOf(g)]));
        second = first
          .map((p) => ({ ...p, groupSize: more(rates.get(p.group) ?? 1, p.groupSize) }))
          .filter((p) => p.groupSize > 0);
        if (second.length > 0) return undefined;
      }
      second = [];
      update++;
      return groups.filter((g) => rateOf(g) > 0 && rateOf(g) < 1).flat();
    },
  };
  return { task: both, selection: both };
};

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
  system: arm("DARS", grpo, {}, { parts: secondPhase(extra) }),
  ablation: arm("DARS, as many samples for all", grpo, {}, { parts: secondPhase((_, n) => n) }),
  presupposes: { hard: { least: 0.3, because: "the second phase is for problems that are rarely solved" } },
  claims: [{ metric: "area", paper: "higher Pass@1 with large batches" }],
  deviations: [
    "Accuracy at equal numbers of generated tokens; the paper compares equal updates, and reports Pass@K first.",
    "The first group has eight samples, and a problem has at most 64 in all, with advantages divided by the standard deviation. A batch is used whole in every epoch, as in the paper's DARS-Breadth.",
  ],
  finding: (f) =>
    `Against the best baseline DARS changes accuracy over training by ${f.effect(0)} over ${f.count} seeds. It draws ${f.mean("DARS", "answers")} answers per problem and makes ${f.mean("DARS", "updates")} updates (GRPO ${f.mean("GRPO", "answers")} and ${f.mean("GRPO", "updates")}). The share of groups with equal rewards is ${f.mean("DARS", "flat")} (GRPO ${f.mean("GRPO", "flat")}). Accuracy at the hardest level ends at ${f.mean("DARS", "solved/6")} (GRPO ${f.mean("GRPO", "solved/6")}, with as many samples for all problems ${f.mean("DARS, as many samples for all", "solved/6")}).`,
});
