import type { EnvContext } from "./env.ts";
import type { Episode } from "./episode.ts";
import type { Saved } from "./snapshot.ts";
import type { Statistics } from "./statistics.ts";

/** A problem to play, and how often. */
export interface Problem {
  /** Its name in statistics by task. */
  readonly key: string;
  readonly context?: EnvContext;
  readonly seed?: number;
  /** Episodes to play of it: the size of its group. */
  readonly plays: number;
  /** Episodes that this problem came from: a proposer's, when a solver plays its proposal. */
  readonly from?: readonly Episode[];
}

/**
 * A source of problems. A fixed environment, a level generator, a prompt set, a curriculum, an opponent pool and another policy's
 * proposals are all tasks. Its state, if any, is saved with the run.
 */
export interface Task extends Partial<Saved> {
  /** What to play next, given what has been measured. */
  next(statistics: Statistics): readonly Problem[];
  /** Learns from how it went. */
  observe?(judged: readonly Episode[]): void;
}

/** Always the same problem. */
export function fixed(problem: Partial<Problem> = {}): Task {
  return { next: () => [{ key: "task", plays: 1, ...problem }] };
}
