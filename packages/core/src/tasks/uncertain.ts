import { scoreOf } from "../selection.ts";
import type { Snapshot } from "../snapshot.ts";
import type { Assignment, Task } from "../task.ts";

/** Settings of {@link uncertain}. */
export interface UncertainOptions {
  /** How problems are told apart: by default by their key. */
  readonly of?: (problem: Assignment) => string;
  /** Fewest plays of a problem (default 2). */
  readonly least?: number;
  /** From which reward on a play is a success (default 1). */
  readonly success?: number;
}

/**
 * The plays of another task's problems, moved to where they tell most: in proportion to √(p (1 − p)), the deviation of an outcome whose
 * chance is p (Neyman, 1934). Chances are those of the problem's kind so far, counted with one success and one failure more than there
 * were. The number of plays in a batch stays the same.
 */
export function uncertain(inner: Task, options: UncertainOptions = {}): Task {
  const { of = (p) => p.key, least = 2, success = 1 } = options;
  const counts = new Map<string, { solved: number; plays: number }>();
  /** The kinds of the problems under way, by group: episodes come back with their task's key alone. */
  let kinds = new Map<string, string>();
  let batch = 0;
  const chance = (kind: string) => {
    const { solved = 0, plays = 0 } = counts.get(kind) ?? {};
    return (solved + 1) / (plays + 2);
  };
  return {
    next(statistics) {
      const problems = inner.next(statistics);
      const total = problems.reduce((n, p) => n + p.plays, 0);
      const weights = problems.map((p) => {
        const q = chance(of(p));
        return Math.sqrt(q * (1 - q));
      });
      const plays = shares(weights, total, least);
      kinds = new Map();
      batch++;
      return problems.map((p, i) => {
        const group = p.group ?? `${batch}:${i}`;
        kinds.set(group, of(p));
        return { ...p, group, plays: plays[i] };
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

/** Whole numbers of at least `least` that add up to `total`, in proportion to weights as nearly as that allows. */
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
