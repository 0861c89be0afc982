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

/** Which problems are played, and how often. */
export function problemsOf(o: Settings, context: Context, stage: Episodes): Task {
  const { levels, offers = [] } = stage;
  const seed = stream(context.seed, "tasks");
  const { groups, plays } = o;
  const learnable = o.curriculum === "learnable";
  if (learnable && !levels)
    fail("curriculum", `${context.spec.id} has no levels to choose from. Leave the curriculum as given.`);
  const greedy = o.baseline === "greedy";
  const hinted = !o.hint.isOff();
  const wanted = { greedy, teacher: o.teachers > 0, hint: hinted };
  for (const way of ["greedy", "teacher", "hint"] as const)
    if (wanted[way] && !offers.includes(way))
      fail(context.spec.id, "plays without chance, teachers and hints need a task in words.");
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

/** What is learned from. */
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

/** The judge, with what length and form are worth. */
export function judgeOf(o: Settings, judge: Judge, limit: number): Judge {
  let out = judge;
  if (!o.formWeight.isOff()) out = judges.formed(out, (e) => o.formWeight.for(e.task));
  if (!o.lengthWeight.isOff())
    out = judges.shorter(out, { weight: (e) => o.lengthWeight.for(e.task), limit, by: o.lengthBy });
  if (o.overlongMargin > 0) out = judges.overlong(out, { limit, margin: o.overlongMargin });
  return out;
}
