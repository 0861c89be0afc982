import { type EnvSpec, fail, type Space, showSpace } from "@reins/core";
import { add, leaves, mul, reshape, slice, sub, type Tensor, type Tree } from "@reins/tensor";

/** Numbers of one column that are counted together: an entry of each row, its first value, and what one more is worth in the index. */
interface Digit {
  readonly column: Tensor;
  readonly width: number;
  readonly offset: number;
  readonly start: number;
  readonly stride: number;
}

/** The largest table, in entries: 1 GB of values. */
const most = 2 ** 27;

/** How many states a table for this environment has, or why there can be none. */
export function countedStates(name: string, spec: EnvSpec): number {
  const { id, observation, action, agents, rewards } = spec;
  if (agents) fail(name, `${id} has ${agents.names.length} agents; ${name} learns for one.`);
  if (rewards)
    fail(
      name,
      `the reward of ${id} is a vector (${rewards.join(", ")}). Weigh its parts into one number first.`,
    );
  const choices = choicesOf(observation);
  if (!choices)
    fail(
      name,
      `observations of ${id} are ${showSpace(observation)}, which cannot be counted; ${name} takes discrete ones. Use dqn, or cut the observations into intervals.`,
    );
  const states = choices.reduce((n, { size }) => n * size, 1);
  const actions = action.kind === "discrete" ? action.n : 1;
  if (states * actions > most)
    fail(name, `${id} has ${states} states × ${actions} actions: too many for a table. Use dqn.`);
  return states;
}

/**
 * Columns of a space of choices, read as one whole number for each row: a tuple of 32, 11 and 2 choices counts from 0 to 703. Columns
 * are read where they are; nothing is allocated.
 */
export class StateIndex {
  private readonly digits: readonly Digit[];
  private readonly rows: number;

  constructor(space: Space, columns: Tree, rows: number) {
    this.rows = rows;
    const choices = choicesOf(space) ?? fail("table", `${showSpace(space)} cannot be counted.`);
    const parts = leaves(columns).flatMap((column) => {
      const width = column.size / rows;
      return Array.from({ length: width }, (_, offset) => ({ column, width, offset }));
    });
    const strides = stridesOf(choices);
    this.digits = choices
      .map(({ start }, i) => ({ ...parts[i], start, stride: strides[i] }))
      // One choice alone says nothing.
      .filter((_, i) => choices[i].size > 1);
  }

  /** The index of every row. */
  all(out: Int32Array): void {
    out.fill(0);
    for (let d = 0; d < this.digits.length; d++) {
      const { column, width, offset, start, stride } = this.digits[d];
      const data = column.data;
      for (let row = 0; row < this.rows; row++) out[row] += (data[row * width + offset] - start) * stride;
    }
  }

  /** The index of one row. */
  one(row: number): number {
    let index = 0;
    for (let d = 0; d < this.digits.length; d++) {
      const { column, width, offset, start, stride } = this.digits[d];
      index += (column.data[row * width + offset] - start) * stride;
    }
    return index;
  }
}

/** The index of every row in operations that can be traced; the columns have the leading axis [rows]. */
export function tracedIndex(space: Space, columns: Tree): Tensor {
  const choices = choicesOf(space) ?? fail("table", `${showSpace(space)} cannot be counted.`);
  const strides = stridesOf(choices);
  const parts = leaves(columns).flatMap((column) => {
    const rows = column.shape[0];
    const flat = reshape(column, [rows, -1]);
    return Array.from({ length: flat.shape[1] }, (_, i) => reshape(slice(flat, [null, [i, i + 1]]), [rows]));
  });
  return choices
    .map(({ start }, i) => mul(sub(parts[i], start), strides[i]))
    .reduce((sum, digit) => add(sum, digit));
}

/** What one more of each choice is worth. The last one counts in ones, as in NumPy's ravel_multi_index. */
const stridesOf = (choices: readonly { readonly size: number }[]) =>
  choices.map((_, i) => choices.slice(i + 1).reduce((n, { size }) => n * size, 1));

/** The choices that a value consists of, in the order of its columns. */
function choicesOf(space: Space): { size: number; start: number }[] | undefined {
  switch (space.kind) {
    case "discrete":
      return [{ size: space.n, start: space.start }];
    case "multiDiscrete":
      return space.sizes.map((size) => ({ size, start: 0 }));
    case "multiBinary":
      return Array.from({ length: space.n }, () => ({ size: 2, start: 0 }));
    case "tuple":
    case "dict": {
      const parts = Object.values(space.spaces as readonly Space[]).map(choicesOf);
      return parts.every((p) => p !== undefined) ? parts.flat() : undefined;
    }
    default:
      return undefined;
  }
}
