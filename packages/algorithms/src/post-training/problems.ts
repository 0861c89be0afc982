import {
  type AlgorithmContext,
  type Episode,
  type Episodes,
  fail,
  type Judge,
  type Selection,
  type Task,
} from "@reins/core";
import * as judges from "@reins/core/judges";
import { stream } from "@reins/core/random";
import * as selections from "@reins/core/selections";
import * as tasks from "@reins/core/tasks";
import type { Settings } from "./options.ts";

/** Which problems are sampled, and the group size of each. */
export function groupProblems(o: Settings, context: AlgorithmContext, stage: Episodes): Task {
  const { levels, samplingModes = [] } = stage;
  const seed = stream(context.seed, "tasks");
  const { groups, groupSize: plays } = o;
  const learnable = o.curriculum === "learnable";
  if (learnable && !levels)
    fail("curriculum", `${context.spec.id} has no difficulty levels. Leave out the curriculum option.`);
  const greedy = o.baseline === "greedy";
  const hinted = !o.hint.isOff();
  const wanted = { greedy, teacher: o.teachers > 0, hint: hinted };
  for (const way of ["greedy", "teacher", "hint"] as const)
    if (wanted[way] && !samplingModes.includes(way))
      fail(context.spec.id, "greedy baselines, teachers and hints need a language task.");
  const given =
    learnable && levels
      ? tasks.curriculum({ seed, levels, groups, groupSize: plays })
      : tasks.ofStage(stage, { seed, groups, groupSize: plays, ...(o.pool > 0 ? { pool: o.pool } : {}) });
  // Problems that occur again have success rates of their own.
  const recurs = o.pool > 0 || (!learnable && stage.problems !== undefined);
  const moved =
    o.allocation === "even"
      ? given
      : tasks.neymanAllocation(given, { of: (p) => (recurs ? `${p.key} ${p.seed}` : p.key) });
  if (!greedy && o.teachers === 0 && !hinted) return moved;
  return {
    ...moved,
    next: (statistics) =>
      moved.next(statistics).map((p) => ({
        ...p,
        greedy,
        teachers: o.teachers,
        ...(hinted ? { context: { ...p.context, hint: o.hint.for(p.key) } } : {}),
      })),
  };
}

/** Selects the samples to train on. */
export function groupSelection(o: Settings): Selection | undefined {
  const parts = [
    ...(o.replay > 0 ? [selections.replaySuccesses(problemName, { capacity: o.replay })] : []),
    ...(o.overlong === "drop" ? [selections.dropTruncated()] : []),
    ...(o.filter === "none"
      ? []
      : [selections.nonZeroVariance(o.filter === "refill" ? { groups: o.groups } : {})]),
  ];
  return parts.length > 1 ? selections.chain(...parts) : parts[0];
}

const problemName = ({ problem, context }: Episode) => JSON.stringify(problem ?? context ?? "");

/** The judge, with rewards for length and format. */
export function groupJudge(o: Settings, judge: Judge, limit: number): Judge {
  let out = judge;
  if (!o.formatWeight.isOff()) out = judges.formatReward(out, (e) => o.formatWeight.for(e.task));
  if (!o.lengthWeight.isOff())
    out = judges.lengthPenalty(out, { weight: (e) => o.lengthWeight.for(e.task), limit, by: o.lengthBy });
  if (o.overlongMargin > 0) out = judges.overlongPenalty(out, { limit, margin: o.overlongMargin });
  return out;
}
