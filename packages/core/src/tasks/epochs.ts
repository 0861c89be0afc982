import { fail } from "../errors.ts";
import { defaultRng } from "../numpy/index.ts";
import type { Snapshot } from "../snapshot.ts";
import type { Stage } from "../stage.ts";
import type { Task, TaskItem } from "../task.ts";
import { type EndlessOptions, endless } from "./endless.ts";
import { listMixture } from "./list-mixture.ts";

/** Settings of {@link epochs}. */
export interface EpochsOptions {
  readonly seed: number;
  /** Number of problems in the list. */
  readonly problems: number;
  /** Problems per batch. */
  readonly groups: number;
  /** Group size: samples per problem. */
  readonly groupSize: number;
  /** Passes over the list (default: unlimited); a fraction is rounded up to whole problems. */
  readonly epochs?: number;
  /** Further fields of every problem. */
  readonly more?: Partial<TaskItem>;
}

/**
 * Problems of a list, each once per epoch, in another order each time. The seed is the position in the list. A batch may span
 * two epochs.
 */
export function epochs(options: EpochsOptions): Task {
  const { seed, problems, groups, groupSize, epochs: times = Number.POSITIVE_INFINITY, more } = options;
  if (!(problems >= 1)) fail("epochs", `got ${problems} problems. Pass at least one.`);
  const random = defaultRng(seed);
  // A share of the list is whole problems: with a fraction left over, the last one would never be drawn.
  const total = Math.ceil(problems * times);
  let drawn = 0;
  let order: Int32Array = new Int32Array(0);
  const next = (): TaskItem => {
    const at = drawn++ % problems;
    if (at === 0) order = random.permutation(problems);
    return { key: "start", seed: order[at], groupSize: groupSize, ...more };
  };
  return {
    exhausted: () => drawn >= total,
    epoch: () => drawn / problems,
    next: () => Array.from({ length: Math.min(groups, total - drawn) }, next),
    save: (): Snapshot => ({ random: random.save(), order: order.slice(), drawn }),
    restore(from) {
      const s = from as { random: Uint32Array; order: Int32Array; drawn: number };
      random.restore(s.random);
      order = s.order.slice();
      drawn = s.drawn;
    },
  };
}

/** The problems of a stage: a list is traversed in epochs, several are mixed by weight, generated problems are unlimited. */
export function ofStage(
  { problems, parts, epochs: times }: Pick<Stage, "problems" | "parts" | "epochs">,
  o: EndlessOptions,
): Task {
  if (problems === undefined || o.pool !== undefined) return endless(o);
  if (parts) return listMixture({ ...o, parts, epochs: times });
  return epochs({ ...o, problems, epochs: times });
}
