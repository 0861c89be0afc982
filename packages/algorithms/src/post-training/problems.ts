import {
  type Context,
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
export function problemsOf(o: Settings, context: Context): Task {
  const { stage } = context;
  const seed = stream(context.seed, "tasks");
  const { groups, plays } = o;
  const levels = stage?.levels;
  if (o.curriculum === "learnable" && !levels)
    fail("curriculum", `${context.spec.id} has no levels to choose from. Leave the curriculum as given.`);
  const greedy = o.baseline === "greedy";
  if ((greedy || o.teachers > 0 || o.hint.setting !== 0) && !stage)
    fail(context.spec.id, "plays without chance, teachers and hints need a task in words.");
  const given =
    o.curriculum === "learnable"
      ? tasks.curriculum({ seed, levels: levels!, groups, plays })
      : tasks.endless({ seed, groups, plays, ...(o.pool > 0 ? { pool: o.pool } : {}) });
  const moved =
    o.allocation === "even"
      ? given
      : tasks.uncertain(given, { of: (p) => (o.pool > 0 ? `${p.key} ${p.seed}` : p.key) });
  const hinted = o.hint.setting !== 0;
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
    ...(o.overlong === "drop" ? [selections.lasting()] : []),
    ...(o.filter === "none"
      ? []
      : [selections.informative(o.filter === "refill" ? { groups: o.groups } : {})]),
  ];
  return parts.length > 1 ? selections.inOrder(...parts) : parts[0];
}

const problemName = ({ info, context }: { info?: object; context?: unknown }) =>
  JSON.stringify((info as { problem?: { prompt?: string } } | undefined)?.problem?.prompt ?? context ?? "");

/** The judge, with what length and form are worth. */
export function judgeOf(o: Settings, judge: Judge, limit: number): Judge {
  let out = judge;
  if (o.formWeight.setting !== 0) out = judges.formed(out, (e) => o.formWeight.for(e.task));
  if (o.lengthWeight.setting !== 0)
    out = judges.shorter(out, { weight: (e) => o.lengthWeight.for(e.task), limit, by: o.lengthBy });
  if (o.overlongMargin > 0) out = judges.overlong(out, { limit, margin: o.overlongMargin });
  return out;
}
