import { scoreOf } from "../selection.ts";
import type { Snapshot } from "../snapshot.ts";
import type { Task, TaskItem } from "../task.ts";

/** Settings of {@link uncertain}. */
export interface NeymanAllocationOptions {
  /** Identity of a problem (default: its key). */
  readonly of?: (problem: TaskItem) => string;
  /** Minimum number of samples per problem (default 2). */
  readonly least?: number;
  /** Reward from which a sample is a success (default 1). */
  readonly success?: number;
}

/**
 * Reallocates the samples of another task's problems to where they are most informative: in proportion to √(p (1 − p)), the standard
 * deviation of an outcome with probability p (Neyman, 1934). Success rates are those of the problem's kind so far, with one success and one
 * failure added. The number of samples per batch stays the same.
 */
export function neymanAllocation(inner: Task, options: NeymanAllocationOptions = {}): Task {
  const { of = (p) => p.key, least = 2, success = 1 } = options;
  const counts = new Map<string, { solved: number; plays: number }>();
  /** The kinds of the current problems, by group: episodes come back with their task's key only. */
  let kinds = new Map<string, string>();
  let batch = 0;
  const chance = (kind: string) => {
    const { solved = 0, plays = 0 } = counts.get(kind) ?? {};
    return (solved + 1) / (plays + 2);
  };
  return {
    next(statistics) {
      const problems = inner.next(statistics);
      const total = problems.reduce((n, p) => n + p.groupSize, 0);
      const weights = problems.map((p) => {
        const q = chance(of(p));
        return Math.sqrt(q * (1 - q));
      });
      const sizes = shares(weights, total, least);
      kinds = new Map();
      batch++;
      return problems.map((p, i) => {
        const group = p.group ?? `${batch}:${i}`;
        kinds.set(group, of(p));
        return { ...p, group, groupSize: sizes[i] };
      });
    },
    observe(judged) {
      for (const j of judged) {
        const kind = kinds.get(j.episode.group ?? "");
        if (kind === undefined) continue;
        const c = counts.get(kind) ?? { solved: 0, plays: 0 };
        counts.set(kind, { solved: c.solved + Number(scoreOf(j) >= success), plays: c.plays + 1 });
      }
      inner.observe?.(judged);
    },
    exhausted: () => inner.exhausted?.() ?? false,
    ...(inner.epoch ? { epoch: () => inner.epoch!() } : {}),
    save: (): Snapshot => ({
      inner: inner.save?.() ?? null,
      batch,
      counts: [...counts].map(([kind, c]) => ({ kind, ...c })),
    }),
    restore(from) {
      const s = from as {
        inner: Snapshot;
        batch: number;
        counts: { kind: string; solved: number; plays: number }[];
      };
      if (s.inner !== null) inner.restore?.(s.inner);
      batch = s.batch;
      counts.clear();
      for (const { kind, solved, plays } of s.counts) counts.set(kind, { solved, plays });
    },
  };
}

/** Integers of at least `least` that sum to `total`, in proportion to weights as nearly as possible. */
export function shares(weights: readonly number[], total: number, least: number): number[] {
  const floor = Math.min(least, Math.floor(total / weights.length));
  const free = total - floor * weights.length;
  const sum = weights.reduce((a, b) => a + b, 0);
  const exact = weights.map((w) => (free * w) / sum);
  const out = exact.map((x) => floor + Math.floor(x));
  const rest = total - out.reduce((a, b) => a + b, 0);
  exact
    .map((x, i) => ({ i, part: x - Math.floor(x) }))
    .sort((a, b) => b.part - a.part || a.i - b.i)
    .slice(0, rest)
    .forEach(({ i }) => out[i]++);
  return out;
}
