import { inGroups, type JudgedEpisode, type Selection } from "../selection.ts";
import type { Snapshot } from "../snapshot.ts";
import type { Assignment, Task } from "../task.ts";

/** Settings of {@link varianceBank}. */
export interface VarianceBankOptions {
  /** Least variance of a group that is learned from, as a share of the greatest there can be (default 0.3 for 20 updates, then 0.8). */
  readonly threshold?: (update: number) => number;
  /** How much of an old priority an update leaves (default 0.9). */
  readonly memory?: number;
  /** How often a problem may come back (default 2). */
  readonly replays?: number;
  /** Problems that are kept; those of the lowest priority make room (default 4096). */
  readonly capacity?: number;
}

interface Kept {
  readonly problem: Assignment;
  readonly priority: number;
  /** The update at which it was last played. */
  readonly last: number;
  readonly replays: number;
}

/**
 * Another task's problems, of which only those are learned from whose rewards vary enough: neither too easy nor too hard for the policy
 * as it is (VCRL, Jiang et al., 2025). The others' places are filled from a bank of earlier ones that did vary, played anew. A
 * problem's priority begins with its variance and moves towards the updates it has been waiting. It is task and selection in one: a
 * method needs it as both.
 */
export function varianceBank(inner: Task, options: VarianceBankOptions = {}): Task & Selection {
  const { threshold = (update) => (update < 20 ? 0.3 : 0.8), memory = 0.9, replays = 2 } = options;
  const { capacity = 4096 } = options;
  let bank: Kept[] = [];
  let update = 0;
  /** What is being played, by group, with how often it has come back. */
  let under = new Map<string, { problem: Assignment; replays: number }>();
  let waiting: readonly Kept[] = [];
  const named = (problem: Assignment, times: number): Assignment => {
    const group = `${update}:${under.size}`;
    under.set(group, { problem, replays: times });
    return { ...problem, group };
  };
  const store = (telling: readonly (readonly JudgedEpisode[])[]) => {
    const aged = bank.map((k) => ({
      ...k,
      priority: memory * k.priority + (1 - memory) * (update - k.last),
    }));
    const fresh = telling.map((group) => ({
      ...under.get(group[0].episode.group!)!,
      priority: shareOfVariance(group.map((j) => j.reward)),
      last: update,
    }));
    bank = [...aged, ...fresh.filter((k) => k.replays < replays)]
      .sort((a, b) => b.priority - a.priority)
      .slice(0, capacity);
  };
  return {
    next(statistics) {
      if (under.size > 0) return waiting.map((k) => named(k.problem, k.replays + 1));
      return inner.next(statistics).map((p) => named(p, 0));
    },
    observe: (judged) => inner.observe?.(judged),
    choose(judged) {
      const least = threshold(update);
      const telling = inGroups(judged).filter((g) => shareOfVariance(g.map((j) => j.reward)) >= least);
      const isFirst = waiting.length === 0;
      waiting = isFirst ? bank.slice(0, under.size - telling.length) : [];
      if (waiting.length > 0) {
        bank = bank.slice(waiting.length);
        return undefined;
      }
      store(telling);
      under = new Map();
      update++;
      return telling.flat();
    },
    save: (): Snapshot => ({
      inner: inner.save?.() ?? null,
      update,
      bank: bank.map(({ problem, ...rest }) => ({ problem: JSON.stringify(problem), ...rest })),
    }),
    restore(from) {
      const s = from as {
        inner: Snapshot;
        update: number;
        bank: (Omit<Kept, "problem"> & { problem: string })[];
      };
      if (s.inner !== null) inner.restore?.(s.inner);
      update = s.update;
      bank = s.bank.map((k) => ({ ...k, problem: JSON.parse(k.problem) }));
      under = new Map();
      waiting = [];
    },
  };
}

/** The variance of rewards between 0 and 1, as a share of the greatest that so many of them can have: 1 if half of them are 1. */
export function shareOfVariance(rewards: readonly number[]): number {
  const n = rewards.length;
  if (n < 2) return 0;
  const mean = rewards.reduce((a, b) => a + b, 0) / n;
  const squares = rewards.reduce((sum, r) => sum + (r - mean) ** 2, 0);
  return (n * squares) / (Math.floor(n / 2) * Math.ceil(n / 2));
}
