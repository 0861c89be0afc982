import { defaultRng } from "../numpy/index.ts";
import type { Task, TaskItem } from "../task.ts";

/** Settings of {@link endless}. */
export interface EndlessOptions {
  readonly seed: number;
  /** Problems per batch. */
  readonly groups: number;
  /** Group size: samples per problem. */
  readonly groupSize: number;
  /** Number of different problems (default: unlimited). */
  readonly pool?: number;
  /** Further fields of every problem. */
  readonly more?: Partial<TaskItem>;
}

/** New random problems for each batch, each with several samples. The seed identifies the problem. */
export function endless({ seed, groups, groupSize, pool = 2 ** 31, more }: EndlessOptions): Task {
  const random = defaultRng(seed);
  return {
    next: () =>
      Array.from({ length: groups }, () => ({
        key: "start",
        seed: random.integers(pool),
        groupSize: groupSize,
        ...more,
      })),
    save: () => random.save(),
    restore: (from) => random.restore(from as Uint32Array),
  };
}
