import type { JudgedEpisode, Selection, Snapshot, Task, TaskItem } from "@reins/core";
import { groupEpisodes } from "@reins/core/episodes";

/** A problem of a batch with its samples of each round so far. */
export interface Sampled {
  readonly problem: TaskItem;
  readonly rounds: readonly (readonly JudgedEpisode[])[];
}

/** Settings of {@link rounds}. */
export interface RoundsOptions {
  /** What the first round samples of a problem (default: the problem as it is). */
  readonly first?: (problem: TaskItem) => TaskItem;
  /** What the next round samples of a problem, or undefined if it has enough samples. */
  readonly next: (sampled: Sampled) => TaskItem | undefined;
  /** Chooses from the samples of a problem (default: all). They are compared with each other. */
  readonly choose?: (sampled: Sampled) => readonly JudgedEpisode[];
}

/** Another task's problems, sampled in several rounds before the update. It is task and selection in one. */
export function rounds(
  given: Task,
  { first = (p) => p, next, choose = (s) => s.rounds.flat() }: RoundsOptions,
) {
  let update = 0;
  let problems: TaskItem[] = [];
  let waiting: TaskItem[] = [];
  const sampledOf = (judged: readonly JudgedEpisode[]): Sampled[] => {
    const groups = new Map(groupEpisodes(judged).map((g) => [g[0].episode.group, g]));
    return problems.map((problem, i) => {
      const own: JudgedEpisode[][] = [];
      for (let g = groups.get(`${update}:${i}:0`); g; g = groups.get(`${update}:${i}:${own.length}`))
        own.push(g);
      return { problem, rounds: own };
    });
  };
  const task: Task & Selection = {
    next(statistics) {
      if (waiting.length > 0) return waiting;
      problems = [...given.next(statistics)];
      return problems.map((p, i) => ({ ...first(p), group: `${update}:${i}:0` }));
    },
    observe: (judged) => given.observe?.(judged),
    select(judged) {
      const all = sampledOf(judged);
      waiting = all.flatMap((sampled, i) => {
        const item = next(sampled);
        return item ? [{ ...item, group: `${update}:${i}:${sampled.rounds.length}` }] : [];
      });
      if (waiting.length > 0) return undefined;
      update++;
      return all.flatMap((sampled, i) =>
        choose(sampled).map((j) => ({ ...j, episode: { ...j.episode, group: `${update}:${i}` } })),
      );
    },
    save: (): Snapshot => ({ given: given.save?.() ?? null, update }),
    restore(from) {
      const s = from as { given: Snapshot; update: number };
      if (s.given !== null) given.restore?.(s.given);
      [waiting, update] = [[], s.update];
    },
  };
  return { task, selection: task };
}
