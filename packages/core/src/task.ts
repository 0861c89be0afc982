import type { EnvContext } from "./env.ts";
import type { Episode } from "./episode.ts";
import type { JudgedEpisode } from "./selection.ts";
import type { Saved } from "./snapshot.ts";
import type { Statistics } from "./statistics.ts";

/** A problem to play, and how often. */
export interface Assignment {
  /** Its name in statistics by task. */
  readonly key: string;
  readonly context?: EnvContext;
  readonly seed?: number;
  /** Episodes to play of it: the size of its group. */
  readonly plays: number;
  /** The name of its group, where plays of several batches belong together. */
  readonly group?: string;
  /** Also played once without chance, to compare with. That play is not learned from. */
  readonly greedy?: boolean;
  /** Plays that a teacher shows, in the same group. */
  readonly teachers?: number;
  /** Episodes that this problem came from: a proposer's, when a solver plays its proposal. */
  readonly from?: readonly Episode[];
}

/**
 * A source of problems. A fixed environment, a level generator, a prompt set, a curriculum, an opponent pool and another policy's
 * proposals are all tasks. Its state, if any, is saved with the run.
 */
export interface Task extends Partial<Saved> {
  /** What to play next, given what has been measured. */
  next(statistics: Statistics): readonly Assignment[];
  /** Whether nothing is left to play: then training ends. */
  exhausted?(): boolean;
  /** Passes over a list of problems so far, with its fraction; absent where problems do not run out. */
  epoch?(): number;
  /** Learns from how it went: called with every batch that was judged, less what a teacher played. */
  observe?(judged: readonly JudgedEpisode[]): void;
}

/** Always the same problem. */
export function fixed(problem: Partial<Assignment> = {}): Task {
  return { next: () => [{ key: "task", plays: 1, ...problem }] };
}
