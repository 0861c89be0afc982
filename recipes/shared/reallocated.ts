import type { Snapshot, Task } from "@reins/core";
import { groupEpisodes, scoreOf } from "@reins/core/episodes";

/** Outcomes of a problem: at its last visit, or over all visits. */
export interface Outcomes {
  readonly solved: number;
  readonly samples: number;
}

/** Settings of {@link reallocated}. */
export interface ReallocatedOptions {
  /** Group sizes of the problems of a batch, from their outcomes (0 of 0 before the first visit) and the total number of samples. */
  readonly sizes: (outcomes: readonly Outcomes[], total: number) => readonly number[];
  /** Whether outcomes of all visits are counted, not only of the last one. */
  readonly all?: boolean;
}

const none: Outcomes = { solved: 0, samples: 0 };

/** Another task's problems, whose samples are distributed anew by the outcomes of each problem. Problems are told apart by their keys. */
export function reallocated(inner: Task, { sizes, all = false }: ReallocatedOptions): Task {
  const outcomes = new Map<string, Outcomes>();
  return {
    next(statistics) {
      const problems = inner.next(statistics);
      const total = problems.reduce((sum, p) => sum + p.groupSize, 0);
      const own = sizes(
        problems.map((p) => outcomes.get(p.key) ?? none),
        total,
      );
      // Episodes come back with the name of their group only.
      return problems.map((p, i) => ({ ...p, group: p.key, groupSize: own[i] }));
    },
    observe(judged) {
      for (const group of groupEpisodes(judged)) {
        const key = group[0].episode.group ?? "";
        const before = (all && outcomes.get(key)) || none;
        const solved = group.filter((j) => scoreOf(j) >= 1).length;
        outcomes.set(key, { solved: before.solved + solved, samples: before.samples + group.length });
      }
      inner.observe?.(judged);
    },
    save: (): Snapshot => ({
      inner: inner.save?.() ?? null,
      outcomes: [...outcomes].map(([key, o]) => ({ key, ...o })),
    }),
    restore(from) {
      const s = from as { inner: Snapshot; outcomes: { key: string; solved: number; samples: number }[] };
      if (s.inner !== null) inner.restore?.(s.inner);
      outcomes.clear();
      for (const { key, solved, samples } of s.outcomes) outcomes.set(key, { solved, samples });
    },
  };
}
