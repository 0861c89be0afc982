import { type EnvSpec, fail, type Space } from "@reins/core";
import { showSpace } from "@reins/core/spaces";
import { add, leaves, mul, reshape, slice, sub, type Tensor, type Tree } from "@reins/tensor";

/** A component of a column: its entry in each row, its first value, and its stride in the index. */
interface Digit {
  readonly column: Tensor;
  readonly width: number;
  readonly offset: number;
  readonly start: number;
  readonly stride: number;
}

/** Maximum table size, in entries: 1 GB of values. */
const most = 2 ** 27;

/** Number of states of a table for this environment; fails if it cannot have one. */
export function countedStates(name: string, spec: EnvSpec): number {
  const { id, observation, action, agents, rewards } = spec;
  if (agents) fail(name, `${id} has ${agents.names.length} agents; ${name} supports one.`);
  if (rewards)
    fail(
      name,
      `the reward of ${id} is a vector (${rewards.join(", ")}). Combine its components into one number first.`,
    );
  const choices = choicesOf(observation);
  if (!choices)
    fail(
      name,
      `observations of ${id} are ${showSpace(observation)}, which is not discrete; ${name} needs discrete observations. Use dqn, or discretise the observations.`,
    );
  const states = choices.reduce((n, { size }) => n * size, 1);
  const actions = action.kind === "discrete" ? action.n : 1;
  if (states * actions > most)
    fail(name, `${id} has ${states} states × ${actions} actions: too many for a table. Use dqn.`);
  return states;
}

/**
 * Columns of a discrete space, read as one whole number per row: a tuple of 32, 11 and 2 choices counts from 0 to
 * 703. Columns are read in place; nothing is allocated.
 */
export class StateIndex {
  private readonly digits: readonly Digit[];
  private readonly rows: number;

  constructor(space: Space, columns: Tree, rows: number) {
    this.rows = rows;
    const choices = choicesOf(space) ?? fail("table", `${showSpace(space)} is not discrete.`);
    const parts = leaves(columns).flatMap((column) => {
      const width = column.size / rows;
      return Array.from({ length: width }, (_, offset) => ({ column, width, offset }));
    });
    const strides = stridesOf(choices);
    this.digits = choices
      .map(({ start }, i) => ({ ...parts[i], start, stride: strides[i] }))
      // A single choice adds no information.
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

/** The index of every row in traceable operations; the columns have the leading axis [rows]. */
export function tracedIndex(space: Space, columns: Tree): Tensor {
  const choices = choicesOf(space) ?? fail("table", `${showSpace(space)} is not discrete.`);
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

/** Stride of each choice in the index. The last one has stride 1, as in NumPy's ravel_multi_index. */
const stridesOf = (choices: readonly { readonly size: number }[]) =>
  choices.map((_, i) => choices.slice(i + 1).reduce((n, { size }) => n * size, 1));

/** The choices of a value, in the order of its columns. */
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
