import { type Generator, size } from "@reins/core";

/** Marks of allowed actions, [rows, actions]; absent: all are. */
export type Mask = ArrayLike<number> | undefined;

/** The options about tables. */
export const tableRows = {
  double: size(
    false,
    "Two tables, of which one chooses and the other values: less optimism where rewards are random (van Hasselt, 2010).",
  ),
  initial: size(
    0,
    "First value of every action. Above what is possible, everything gets tried (0 to the best return).",
    { within: "any" },
  ),
};

/** Numbers that hold for a round. */
export interface Rates {
  learningRate: number;
  /** The learning rate of an entry is divided by the number of its moves to this power. */
  decay: number;
  gamma: number;
  lambda: number;
}

/** How much of an error is learned by an entry that was moved `n` times. */
export function learned({ learningRate, decay }: Rates, error: number, n: number): number {
  return decay === 0 ? learningRate * error : (learningRate * error) / n ** decay;
}

/**
 * The value of every action in every state: one table, or two that check each other (van Hasselt, 2010). What is chosen depends on
 * `total`, their sum. Entry `state × actions + action` is called a pair.
 */
export class ActionValues {
  readonly actions: number;
  readonly tables: readonly Float64Array[];
  /** How often each entry of each table was moved. */
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

  /** What a checkpoint must hold. */
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

  /** Remembers an error for {@link meanSquare}. */
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

  /** The first of the best allowed actions of a state by one table. */
  best(table: Float64Array, state: number, mask: Mask, row: number): number {
    const { actions } = this;
    const from = state * actions;
    let best = -1;
    let most = Number.NEGATIVE_INFINITY;
    for (let a = 0; a < actions; a++) {
      if (mask !== undefined && !mask[row * actions + a]) continue;
      const value = table[from + a];
      // Written so that a NaN, which nothing exceeds, cannot leave the choice empty.
      if (best >= 0 && !(value > most)) continue;
      best = a;
      most = value;
    }
    return best;
  }

  /** Whether an action is one of the best allowed ones. */
  isBest(state: number, action: number, mask: Mask, row: number): boolean {
    const from = state * this.actions;
    return this.total[from + action] >= this.total[from + this.best(this.total, state, mask, row)];
  }

  /** One of the best allowed actions of a state, each with the same probability: untried actions must not be tried in order. */
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

  /** Any allowed action. */
  any(mask: Mask, row: number, random: Generator): number {
    const { actions } = this;
    if (mask === undefined) return Math.floor(random.random() * actions);
    let chosen = 0;
    let seen = 0;
    for (let a = 0; a < actions; a++) if (mask[row * actions + a] && random.random() * ++seen < 1) chosen = a;
    return chosen;
  }

  /** The mean over the allowed actions of a state by one table. */
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
