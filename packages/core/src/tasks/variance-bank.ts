import { groupEpisodes, type JudgedEpisode, type Selection } from "../selection.ts";
import type { Snapshot } from "../snapshot.ts";
import type { Task, TaskItem } from "../task.ts";

/** Settings of {@link varianceBank}. */
export interface VarianceBankOptions {
  /** Minimum reward variance of a group that is trained on, as a fraction of the maximum possible (default 0.3 for 20 updates, then 0.8). */
  readonly threshold?: (update: number) => number;
  /** Decay of old priorities per update (default 0.9). */
  readonly memory?: number;
  /** How often a problem may come back (default 2). */
  readonly replays?: number;
  /** Maximum number of stored problems; those with the lowest priority are dropped (default 4096). */
  readonly capacity?: number;
}

interface Kept {
  readonly problem: TaskItem;
  readonly priority: number;
  /** The update at which it was last sampled. */
  readonly last: number;
  readonly replays: number;
}

/**
 * Another task's problems, of which only those are trained on whose rewards vary enough: neither too easy nor too hard for the current
 * policy (VCRL, Jiang et al., 2025). The others are replaced from a bank of earlier problems with enough variance, sampled anew. A
 * problem's priority starts at its variance and moves towards the number of updates it has been waiting. It is task and selection in one:
 * pass it as both.
 */
export function varianceBank(inner: Task, options: VarianceBankOptions = {}): Task & Selection {
  const { threshold = (update) => (update < 20 ? 0.3 : 0.8), memory = 0.9, replays = 2 } = options;
  const { capacity = 4096 } = options;
  let bank: Kept[] = [];
  let update = 0;
  /** The current problems, by group, and how often each has come back. */
  let under = new Map<string, { problem: TaskItem; replays: number }>();
  let waiting: readonly Kept[] = [];
  const named = (problem: TaskItem, times: number): TaskItem => {
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
    select(judged) {
      const least = threshold(update);
      const telling = groupEpisodes(judged).filter((g) => shareOfVariance(g.map((j) => j.reward)) >= least);
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
      bank = s.bank.map((k) => ({ ...k, problem: storedItem(k.problem) }));
      under = new Map();
      waiting = [];
    },
  };
}

/** A stored problem. Version 0.1 named its group size `plays`. */
function storedItem(text: string): TaskItem {
  const { plays, ...item } = JSON.parse(text) as TaskItem & { readonly plays?: number };
  return plays === undefined ? item : { ...item, groupSize: plays };
}

/** The variance of rewards between 0 and 1, as a fraction of the maximum for their number: 1 if half of them are 1. */
export function shareOfVariance(rewards: readonly number[]): number {
  const n = rewards.length;
  if (n < 2) return 0;
  const mean = rewards.reduce((a, b) => a + b, 0) / n;
  const squares = rewards.reduce((sum, r) => sum + (r - mean) ** 2, 0);
  return (n * squares) / (Math.floor(n / 2) * Math.ceil(n / 2));
}
