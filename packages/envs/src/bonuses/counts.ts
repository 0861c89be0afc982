import { fail, type Snapshot, type Space, type VectorEnv } from "@reins/core";
import { checkKeys } from "@reins/core/errors";
import { checkUsualRange } from "@reins/core/settings";
import { showSpace } from "@reins/core/spaces";
import type { Tensor, Tree } from "@reins/tensor";
import {
  admitOneReward,
  type IntrinsicOptions,
  IntrinsicReward,
  intrinsicNames,
} from "./intrinsic-reward.ts";
import type { Novelty } from "./novelty.ts";

/** Options of the state counts. */
export interface CountsOptions extends IntrinsicOptions {
  /** Bins over the range of a bounded number; more bins distinguish more states, each visited less often (5 to 50). */
  readonly bins?: number;
  /** Bin width for unbounded numbers. */
  readonly cell?: number;
}

/**
 * An exploration bonus of 1/√n for the n-th visit of a state (as in MBIE-EB: Strehl and Littman, 2008). Discrete
 * values, bits and bytes count as they are, other numbers by their bin. For environments with few such states.
 *
 * @example
 * const env = counts(make("MountainCar-v0", { rows: 8 }), { bins: 20, weight: 0.1 });
 */
export function counts(env: VectorEnv, options: CountsOptions = {}): IntrinsicReward {
  checkKeys("counts", options, [...intrinsicNames, "bins", "cell"]);
  admitOneReward("counts", env);
  return new IntrinsicReward(env, new Visits(env, options), options);
}

/** Reads one number of a row as a whole number. */
interface Digit {
  readonly column: Tensor;
  readonly final: Tensor;
  readonly width: number;
  readonly at: number;
  readonly low: number;
  readonly size: number;
  readonly most: number;
}

class Visits implements Novelty {
  private readonly env: VectorEnv;
  private readonly digits: readonly Digit[];
  private readonly cells: Int32Array;
  /** Visits of each state, keyed by its cells. */
  private readonly visits = new Map<string, number>();

  constructor(env: VectorEnv, { bins = 20, cell = 0.1 }: CountsOptions) {
    checkUsualRange("counts", "bins", bins, "count", 20);
    checkUsualRange("counts", "cell", cell, "positive", 0.1);
    this.env = env;
    this.digits = digitsOf(env.spec.observation, env.observation, env.final, { bins, cell, id: env.spec.id });
    this.cells = new Int32Array(this.digits.length);
  }

  begun(seed: number | undefined): void {
    if (seed !== undefined) this.visits.clear();
  }

  took(_action: Tree, into: Float32Array): void {
    const { cells, digits, visits, env } = this;
    const [terminated, truncated] = [env.terminated.data, env.truncated.data];
    for (let row = 0; row < env.rows; row++) {
      const ended = terminated[row] || truncated[row];
      for (let i = 0; i < digits.length; i++) {
        const { column, final, width, at, low, size, most } = digits[i];
        const x = (ended ? final : column).data[row * width + at];
        cells[i] = Math.min(Math.floor((x - low) / size), most);
      }
      const name = cells.join();
      const n = (visits.get(name) ?? 0) + 1;
      visits.set(name, n);
      into[row] = 1 / Math.sqrt(n);
    }
  }

  save(): Snapshot {
    const cells = Int32Array.from([...this.visits.keys()].flatMap((name) => name.split(",").map(Number)));
    return { cells, counts: Float64Array.from(this.visits.values()) };
  }

  restore(from: Snapshot): void {
    const { cells, counts: n } = from as { cells: Int32Array; counts: Float64Array };
    const width = this.cells.length;
    if (cells.length !== n.length * width)
      fail("restore", `states have ${width} numbers here, but ${cells.length / n.length} in the checkpoint.`);
    this.visits.clear();
    n.forEach((count, i) => void this.visits.set(cells.subarray(i * width, (i + 1) * width).join(), count));
  }
}

/** Bin sizes. */
interface Fineness {
  readonly bins: number;
  readonly cell: number;
  /** The environment, for messages. */
  readonly id: string;
}

function digitsOf(space: Space, tree: Tree, finalTree: Tree, fineness: Fineness): Digit[] {
  const [column, final] = [tree as Tensor, finalTree as Tensor];
  const each = (digit: (at: number) => Pick<Digit, "low" | "size" | "most">): Digit[] => {
    const width = column.shape.slice(1).reduce((n, d) => n * d, 1);
    return Array.from({ length: width }, (_, at) => ({ column, final, width, at, ...digit(at) }));
  };
  switch (space.kind) {
    case "discrete":
    case "multiDiscrete":
    case "multiBinary":
    case "image":
      return each(() => ({ low: 0, size: 1, most: Number.POSITIVE_INFINITY }));
    case "simplex":
      return each(() => within(0, 1, fineness));
    case "box": {
      const bound = (b: number | readonly number[], at: number) => (typeof b === "number" ? b : b[at]);
      return each((at) => within(bound(space.low, at), bound(space.high, at), fineness));
    }
    case "dict":
      return Object.entries(space.spaces).flatMap(([name, part]) =>
        digitsOf(part, partOf(tree, name), partOf(finalTree, name), fineness),
      );
    case "tuple":
      return space.spaces.flatMap((part, i) =>
        digitsOf(part, partOf(tree, i), partOf(finalTree, i), fineness),
      );
    default:
      return fail(
        "counts",
        `${fineness.id} observes ${showSpace(space)}, whose states cannot be counted. Use rnd or icm.`,
      );
  }
}

/** Bins of a range, or of the whole line if unbounded. The upper bound belongs to the last bin. */
function within(low: number, high: number, { bins, cell }: Fineness): Pick<Digit, "low" | "size" | "most"> {
  const bounded = Number.isFinite(high - low) && high - low < 1e30;
  return bounded
    ? { low, size: (high - low) / bins || 1, most: bins - 1 }
    : { low: 0, size: cell, most: Number.POSITIVE_INFINITY };
}

const partOf = (tree: Tree, name: string | number): Tree => (tree as { readonly [name: string]: Tree })[name];
