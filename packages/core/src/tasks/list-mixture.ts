import { fail } from "../errors.ts";
import { defaultRng } from "../numpy/index.ts";
import type { Snapshot } from "../snapshot.ts";
import { stream } from "../stream.ts";
import type { Task, TaskItem } from "../task.ts";

/** A list of problems or examples in a mixture. */
export interface ListMixturePart {
  /** Its length. */
  readonly count: number;
  /** Its share of the samples, relative to the other weights (default: its length, so that all lists end together). */
  readonly weight?: number;
}

/** Settings of {@link listMixture}. */
export interface ListMixtureOptions {
  readonly seed: number;
  /** The lists, in the order of `concatExamples`. */
  readonly parts: readonly ListMixturePart[];
  /** Problems per batch. */
  readonly groups: number;
  /** Group size: samples per problem (default 1). */
  readonly groupSize?: number;
  /** Passes over as many problems as all lists have together (default: unlimited). */
  readonly epochs?: number;
  /** Further fields of every problem. */
  readonly more?: Partial<TaskItem>;
}

/**
 * Problems of several lists by weight. Each list is used in epochs of its own, in another random order each time, so that a list with a
 * large weight repeats and one with a small weight is still used as a whole. Of two lists neither is ever more than one problem
 * away from its share. An item's seed is the problem's index in all lists together. Its state is a few counters.
 */
export function listMixture(options: ListMixtureOptions): Task {
  const { seed, parts, groups, groupSize = 1, epochs: times = Number.POSITIVE_INFINITY, more } = options;
  const weights = parts.map((p, i) => {
    const { count, weight = count } = p;
    if (!(count >= 1)) fail("listMixture", `list ${i + 1} is empty. Remove it, or add problems.`);
    if (!(weight >= 0 && weight < Number.POSITIVE_INFINITY))
      fail("listMixture", `the weight of list ${i + 1} is ${weight}; it must be a finite number from 0.`);
    return weight;
  });
  const whole = weights.reduce((a, b) => a + b, 0);
  if (!(whole > 0)) fail("listMixture", "all weights are 0. Give at least one list a weight above 0.");
  const starts = parts.map((_, i) => parts.slice(0, i).reduce((sum, p) => sum + p.count, 0));
  const each = parts.reduce((sum, p) => sum + p.count, 0);
  const total = Math.ceil(each * times);
  const drawn = new Float64Array(parts.length);
  const orders: { epoch: number; order: Int32Array }[] = parts.map(() => ({
    epoch: -1,
    order: new Int32Array(0),
  }));
  const used = () => drawn.reduce((a, b) => a + b, 0);
  /** The list that is furthest below its share; the first of equals. */
  const choose = (): number => {
    const next = used() + 1;
    let best = 0;
    for (let i = 1; i < parts.length; i++) if (lack(i, next) > lack(best, next) + 1e-9) best = i;
    return best;
  };
  const lack = (i: number, next: number) =>
    weights[i] > 0 ? (next * weights[i]) / whole - drawn[i] : -Infinity;
  const next = (): TaskItem => {
    const part = choose();
    const { count } = parts[part];
    const epoch = Math.floor(drawn[part] / count);
    if (orders[part].epoch !== epoch)
      orders[part] = {
        epoch,
        order: defaultRng(stream(stream(seed, "list", part), "epoch", epoch)).permutation(count),
      };
    const index = orders[part].order[drawn[part]++ % count];
    return { key: "start", seed: starts[part] + index, groupSize, ...more };
  };
  return {
    exhausted: () => used() >= total,
    epoch: () => used() / each,
    next: () => Array.from({ length: Math.min(groups, total - used()) }, next),
    save: (): Snapshot => ({ drawn: drawn.slice() }),
    restore: (from) => drawn.set((from as { drawn: Float64Array }).drawn),
  };
}
