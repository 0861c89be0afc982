import type { Generator } from "@reins/core/random";

/** A step in a table. */
export interface TabularStep {
  readonly state: number;
  readonly action: number;
  readonly reward: number;
  readonly next: number;
  readonly terminated: boolean;
}

/** Q-learning in a table of states and actions, with random tie-breaking. */
export class QTable {
  readonly values: Float64Array;
  private readonly actions: number;
  private readonly random: Generator;

  constructor(states: number, actions: number, random: Generator, initial = 0) {
    this.values = new Float64Array(states * actions).fill(initial);
    this.actions = actions;
    this.random = random;
  }

  /** Value of the greedy action. */
  most(state: number): number {
    let most = Number.NEGATIVE_INFINITY;
    for (let a = 0; a < this.actions; a++) most = Math.max(most, this.values[state * this.actions + a]);
    return most;
  }

  /** The greedy action with random tie-breaking, by this table plus an optional weight of another one. */
  best(state: number, other?: QTable, weight = 1): number {
    let [chosen, most, equals] = [0, Number.NEGATIVE_INFINITY, 0];
    for (let a = 0; a < this.actions; a++) {
      const pair = state * this.actions + a;
      const value = this.values[pair] + (other ? weight * other.values[pair] : 0);
      if (value > most) [chosen, most, equals] = [a, value, 1];
      else if (value === most && this.random.random() * ++equals < 1) chosen = a;
    }
    return chosen;
  }

  /** Moves the value of an action towards reward plus discounted next value. */
  learn({ state, action, reward, next, terminated }: TabularStep, rate: number, gamma: number): void {
    const pair = state * this.actions + action;
    const target = reward + (terminated ? 0 : gamma * this.most(next));
    this.values[pair] += rate * (target - this.values[pair]);
  }
}
