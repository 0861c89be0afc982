import { defaultRng } from "../numpy/index.ts";
import type { Assignment, Task } from "../task.ts";

/** Settings of {@link endless}. */
export interface EndlessOptions {
  readonly seed: number;
  /** Problems in a batch. */
  readonly groups: number;
  /** Plays of each. */
  readonly plays: number;
  /** Different problems that there are; endless if absent. */
  readonly pool?: number;
  /** Anything that every problem has beside its seed. */
  readonly more?: Partial<Assignment>;
}

/** Problems drawn anew for each batch, each of them played several times. The seed names the problem. */
export function endless({ seed, groups, plays, pool = 2 ** 31, more }: EndlessOptions): Task {
  const random = defaultRng(seed);
  return {
    next: () =>
      Array.from({ length: groups }, () => ({ key: "start", seed: random.integers(pool), plays, ...more })),
    save: () => random.save(),
    restore: (from) => random.restore(from as Uint32Array),
  };
}
