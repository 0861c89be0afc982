import {
  type Context,
  type Episode,
  type Episodes,
  fail,
  type Judge,
  judges,
  type Selection,
  selections,
  stream,
  type Task,
  tasks,
} from "@reins/core";
import type { Settings } from "./options.ts";

/** Which problems are sampled, and the group size of each. */
export function problemsOf(o: Settings, context: Context, stage: Episodes): Task {
  const { levels, offers = [] } = stage;
  const seed = stream(context.seed, "tasks");
  const { groups, plays } = o;
  const learnable = o.curriculum === "learnable";
  if (learnable && !levels)
    fail("curriculum", `${context.spec.id} has no difficulty levels. Leave out the curriculum option.`);
  const greedy = o.baseline === "greedy";
  const hinted = !o.hint.isOff();
  const wanted = { greedy, teacher: o.teachers > 0, hint: hinted };
  for (const way of ["greedy", "teacher", "hint"] as const)
    if (wanted[way] && !offers.includes(way))
      fail(context.spec.id, "greedy baselines, teachers and hints need a language task.");
  const given =
    learnable && levels
      ? tasks.curriculum({ seed, levels, groups, plays })
      : tasks.ofStage(stage, { seed, groups, plays, ...(o.pool > 0 ? { pool: o.pool } : {}) });
  const moved =
    o.allocation === "even"
      ? given
      : tasks.uncertain(given, { of: (p) => (o.pool > 0 ? `${p.key} ${p.seed}` : p.key) });
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
export function selectionOf(o: Settings): Selection | undefined {
  const parts = [
    ...(o.replay > 0 ? [selections.successes(problemName, { capacity: o.replay })] : []),
    ...(o.overlong === "drop" ? [selections.untruncated()] : []),
    ...(o.filter === "none"
      ? []
      : [selections.informative(o.filter === "refill" ? { groups: o.groups } : {})]),
  ];
  return parts.length > 1 ? selections.chain(...parts) : parts[0];
}

const problemName = ({ problem, context }: Episode) => JSON.stringify(problem ?? context ?? "");

/** The judge, with rewards for length and format. */
export function judgeOf(o: Settings, judge: Judge, limit: number): Judge {
  let out = judge;
  if (!o.formWeight.isOff()) out = judges.formed(out, (e) => o.formWeight.for(e.task));
  if (!o.lengthWeight.isOff())
    out = judges.shorter(out, { weight: (e) => o.lengthWeight.for(e.task), limit, by: o.lengthBy });
  if (o.overlongMargin > 0) out = judges.overlong(out, { limit, margin: o.overlongMargin });
  return out;
}
