import { fail } from "../errors.ts";
import type { Snapshot } from "../snapshot.ts";
import type { Task } from "../task.ts";

/**
 * Another task's problems, with some plays of each group led: they begin in a way that is given, beside others that are free, and all are
 * compared with each other. What leads is in the context, as `lead`; families say by `led` what comes of it.
 *
 *     tasks.leading(task, { briefly: 2, "with tools": 2 }) // of eight plays four are free
 */
export function leading(inner: Task, leads: { readonly [lead: string]: number }): Task {
  const led = Object.values(leads).reduce((sum, n) => sum + n, 0);
  let groups = 0;
  return {
    next: (statistics) =>
      inner.next(statistics).flatMap((play) => {
        if (led >= play.plays) fail("leading", `of ${play.plays} plays ${led} are led, so none is free.`);
        const group = play.group ?? `led ${groups++}`;
        const { greedy: _, teachers: __, ...plain } = play;
        return [
          { ...play, group, plays: play.plays - led },
          ...Object.entries(leads).map(([lead, plays]) => ({
            ...plain,
            group,
            plays,
            context: { ...play.context, lead },
          })),
        ];
      }),
    observe: (judged) => inner.observe?.(judged),
    exhausted: () => inner.exhausted?.() ?? false,
    save: (): Snapshot => ({ inner: inner.save?.() ?? null, groups }),
    restore(from) {
      const s = from as { inner: Snapshot; groups: number };
      if (s.inner !== null) inner.restore?.(s.inner);
      groups = s.groups;
    },
  };
}
