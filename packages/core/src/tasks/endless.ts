import { defaultRng } from "../numpy/index.ts";
import type { Assignment, Task } from "../task.ts";

/** Settings of {@link endless}. */
export interface EndlessOptions {
  readonly seed: number;
  /** Problems per batch. */
  readonly groups: number;
  /** Group size: samples per problem. */
  readonly plays: number;
  /** Number of different problems (default: unlimited). */
  readonly pool?: number;
  /** Further fields of every problem. */
  readonly more?: Partial<Assignment>;
}

/** New random problems for each batch, each with several samples. The seed identifies the problem. */
export function endless({ seed, groups, plays, pool = 2 ** 31, more }: EndlessOptions): Task {
  const random = defaultRng(seed);
  return {
    next: () =>
      Array.from({ length: groups }, () => ({ key: "start", seed: random.integers(pool), plays, ...more })),
    save: () => random.save(),
    restore: (from) => random.restore(from as Uint32Array),
  };
}
