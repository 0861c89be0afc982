import { fail } from "../errors.ts";
import type { Snapshot } from "../snapshot.ts";
import type { Task } from "../task.ts";

/**
 * Another task's problems, with some samples of each group led: they begin in a given way, the others are free, and all are
 * compared with each other. The lead is in the context, as `lead`; language tasks implement it in `led`.
 *
 *     tasks.ledSamples(task, { briefly: 2, "with tools": 2 }) // of eight samples four are free
 */
export function ledSamples(inner: Task, leads: { readonly [lead: string]: number }): Task {
  const led = Object.values(leads).reduce((sum, n) => sum + n, 0);
  let groups = 0;
  return {
    next: (statistics) =>
      inner.next(statistics).flatMap((play) => {
        if (led >= play.groupSize)
          fail(
            "ledSamples",
            `${led} of ${play.groupSize} samples are led, so none is free. Raise the group size or lead fewer.`,
          );
        const group = play.group ?? `led ${groups++}`;
        const { greedy: _, teachers: __, ...plain } = play;
        return [
          { ...play, group, groupSize: play.groupSize - led },
          ...Object.entries(leads).map(([lead, groupSize]) => ({
            ...plain,
            group,
            groupSize,
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
