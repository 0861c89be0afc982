import type { JudgedEpisode, Selection, Snapshot, Task, TaskItem } from "@reins/core";
import { groupEpisodes, scoreOf } from "@reins/core/episodes";

/** Settings of {@link twoPhases}. */
export interface TwoPhasesOptions {
  /** Number of further samples of a problem, from its solve rate in the first phase and its group size. */
  readonly more: (rate: number, groupSize: number) => number;
  /** Whether the further samples are a group of their own. */
  readonly apart?: boolean;
  /** Sampling temperature of the further samples (default: the policy's). */
  readonly temperature?: number;
  /** Chooses from the samples of both phases. */
  readonly choose: (judged: readonly JudgedEpisode[]) => readonly JudgedEpisode[];
}

/** The share of correct answers. */
export const solveRate = (group: readonly JudgedEpisode[]): number =>
  group.filter((j) => scoreOf(j) >= 1).length / group.length;

/** Another task's problems, some of which are sampled again before the update. It is task and selection in one. */
export function twoPhases(given: Task, { more, apart = false, temperature, choose }: TwoPhasesOptions) {
  let [first, second, update]: [TaskItem[], TaskItem[], number] = [[], [], 0];
  const both: Task & Selection = {
    next(statistics) {
      if (second.length > 0) return second;
      first = given.next(statistics).map((p, i) => ({ ...p, group: `${update}:${i}` }));
      return first;
    },
    observe: (judged) => given.observe?.(judged),
    select(judged) {
      if (second.length === 0) {
        const rates = new Map(groupEpisodes(judged).map((g) => [g[0].episode.group, solveRate(g)]));
        second = first
          .map((p) => ({
            ...p,
            group: apart ? `${p.group} more` : p.group,
            ...(temperature === undefined ? {} : { context: { ...p.context, temperature } }),
            groupSize: more(rates.get(p.group) ?? 1, p.groupSize),
          }))
          .filter((p) => p.groupSize > 0);
        if (second.length > 0) return undefined;
      }
      second = [];
      update++;
      return choose(judged);
    },
    save: (): Snapshot => ({ given: given.save?.() ?? null, update }),
    restore(from) {
      const s = from as { given: Snapshot; update: number };
      if (s.given !== null) given.restore?.(s.given);
      [second, update] = [[], s.update];
    },
  };
  return { task: both, selection: both };
}
