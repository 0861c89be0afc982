import { size } from "@reins/core";
import type { Generator } from "@reins/core/random";

/** Action mask, [rows, actions]; absent: all actions are allowed. */
export type Mask = ArrayLike<number> | undefined;

/** Options of action-value tables. */
export const tableRows = {
  double: size(
    false,
    "Double Q-learning: one table chooses, the other evaluates. Less overestimation with random rewards (van Hasselt, 2010).",
  ),
  initial: size(
    0,
    "Initial value of every action. Optimistic values explore everything (0 to the best return).",
    { within: "any" },
  ),
};

/** Numbers that are fixed for a round. */
export interface Rates {
  learningRate: number;
  /** Exponent by which an entry's learning rate decays with its updates. */
  decay: number;
  gamma: number;
  lambda: number;
}

/** Learning rate of an entry that was updated `n` times. */
export function learned({ learningRate, decay }: Rates, error: number, n: number): number {
  return decay === 0 ? learningRate * error : (learningRate * error) / n ** decay;
}

/**
 * Action values of every state: one table, or two for double Q-learning (van Hasselt, 2010). Actions are chosen by
 * `total`, their sum. Entry `state × actions + action` is called a pair.
 */
export class ActionValues {
  readonly actions: number;
  readonly tables: readonly Float64Array[];
  /** Updates of each entry of each table. */
  readonly counts: readonly Float64Array[];
  readonly total: Float64Array;
  private squares = 0;
  private moves = 0;

  constructor(states: number, actions: number, { double = false, initial = 0 } = {}) {
    const table = () => new Float64Array(states * actions);
    this.actions = actions;
    this.tables = Array.from({ length: double ? 2 : 1 }, () => table().fill(initial));
    this.counts = this.tables.map(table);
    this.total = double ? table().fill(2 * initial) : this.tables[0];
  }

  /** State for checkpoints. */
  get parts() {
    const { tables, counts, total } = this;
    return { tables, counts, total };
  }

  /** Moves an entry of one table towards a target, at its learning rate. */
  approach(which: number, pair: number, target: number, rates: Rates): void {
    const table = this.tables[which];
    const error = target - table[pair];
    const move = learned(rates, error, ++this.counts[which][pair]);
    table[pair] += move;
    if (this.tables.length > 1) this.total[pair] += move;
    this.note(error);
  }

  /** Records an error for {@link meanSquare}. */
  note(error: number): void {
    this.squares += error * error;
    this.moves++;
  }

  /** Mean square of the errors since the last call; NaN without any. */
  meanSquare(): number {
    const mean = this.moves > 0 ? this.squares / this.moves : Number.NaN;
    this.squares = this.moves = 0;
    return mean;
  }

  /** The first greedy allowed action of a state by one table. */
  best(table: Float64Array, state: number, mask: Mask, row: number): number {
    const { actions } = this;
    const from = state * actions;
    let best = -1;
    let most = Number.NEGATIVE_INFINITY;
    for (let a = 0; a < actions; a++) {
      if (mask !== undefined && !mask[row * actions + a]) continue;
      const value = table[from + a];
      // Written so that a NaN, which compares false with everything, still gives a valid action.
      if (best >= 0 && !(value > most)) continue;
      best = a;
      most = value;
    }
    return best;
  }

  /** Whether an action is one of the greedy allowed ones. */
  isBest(state: number, action: number, mask: Mask, row: number): boolean {
    const from = state * this.actions;
    return this.total[from + action] >= this.total[from + this.best(this.total, state, mask, row)];
  }

  /** A random one of the greedy allowed actions, so that untried actions are not tried in order. */
  pick(state: number, mask: Mask, row: number, random: Generator): number {
    const { actions, total } = this;
    const from = state * actions;
    let best = -1;
    let most = Number.NEGATIVE_INFINITY;
    let ties = 1;
    for (let a = 0; a < actions; a++) {
      if (mask !== undefined && !mask[row * actions + a]) continue;
      const value = total[from + a];
      if (best < 0 || value > most) {
        best = a;
        most = value;
        ties = 1;
      } else if (value === most && random.random() * ++ties < 1) best = a;
    }
    return best;
  }

  /** A random allowed action. */
  any(mask: Mask, row: number, random: Generator): number {
    const { actions } = this;
    if (mask === undefined) return Math.floor(random.random() * actions);
    let chosen = 0;
    let seen = 0;
    for (let a = 0; a < actions; a++) if (mask[row * actions + a] && random.random() * ++seen < 1) chosen = a;
    return chosen;
  }

  /** Mean over the allowed actions of a state by one table. */
  mean(table: Float64Array, state: number, mask: Mask, row: number): number {
    const { actions } = this;
    let sum = 0;
    let count = 0;
    for (let a = 0; a < actions; a++) {
      if (mask !== undefined && !mask[row * actions + a]) continue;
      sum += table[state * actions + a];
      count++;
    }
    return sum / count;
  }
}
