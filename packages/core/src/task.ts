import type { EnvContext } from "./env.ts";
import type { Episode } from "./episode.ts";
import type { JudgedEpisode } from "./selection.ts";
import type { Saved } from "./snapshot.ts";
import type { Statistics } from "./statistics.ts";

/** A problem and its number of samples. */
export interface TaskItem {
  /** Its name in statistics by task. */
  readonly key: string;
  readonly context?: EnvContext;
  readonly seed?: number;
  /** Group size: samples to draw for it. */
  readonly groupSize: number;
  /** Name of its group, if samples of several batches belong together. */
  readonly group?: string;
  /** Also plays it once greedily, as a baseline. That episode is not trained on. */
  readonly greedy?: boolean;
  /** Number of teacher demonstrations in the same group. */
  readonly teachers?: number;
  /** Number of samples of the frozen reference policy in the same group; they count as a teacher's. */
  readonly references?: number;
  /**
   * Weight of the reference policy in these samples, from 0 to 1 (default 1: the reference policy alone). Below 1, each
   * token is sampled from the geometric mixture of the policy and the reference policy.
   */
  readonly mixture?: number;
  /** Episodes that this problem came from, such as a proposer's when a solver plays its proposal. */
  readonly from?: readonly Episode[];
}

/**
 * A source of problems. A fixed environment, a level generator, a prompt set, a curriculum, an opponent pool and another policy's
 * proposals are all tasks. Its state, if any, is saved with the run.
 */
export interface Task extends Partial<Saved> {
  /** The next problems, given the statistics. */
  next(statistics: Statistics): readonly TaskItem[];
  /** Whether no problems are left: training then ends. */
  exhausted?(): boolean;
  /** Passes over a list of problems so far, fractional; absent if problems do not run out. */
  epoch?(): number;
  /** Called with every judged batch, except a teacher's episodes, so that the task can adapt. */
  observe?(judged: readonly JudgedEpisode[]): void;
}

/** Always the same problem. */
export function fixed(problem: Partial<TaskItem> = {}): Task {
  return { next: () => [{ key: "task", groupSize: 1, ...problem }] };
}
