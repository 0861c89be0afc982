import type { Generator } from "@reins/core";
import { real } from "@reins/tensor";

/** Settings of {@link QuantalAdversary}. */
export interface QuantalAdversaryOptions {
  readonly states: number;
  readonly actions: number;
  readonly random: Generator;
}

/**
 * Who plays for the least return of another, in a table, with bounded rationality: actions have chances by their values in units of a
 * temperature, and values count the price of being certain (a quantal response; McKelvey and Palfrey, 1995). At 0 it is fully rational, far above
 * all values it plays at random.
 */
export class QuantalAdversary {
  /** What the other earns after each action in each state. */
  readonly values: Float64Array;
  private readonly o: QuantalAdversaryOptions;
  private readonly chances: number[];

  constructor(o: QuantalAdversaryOptions) {
    this.o = o;
    this.values = new Float64Array(o.states * o.actions);
    this.chances = new Array<number>(o.actions).fill(0);
  }

  /** The chance of each action. */
  policy(state: number, temperature: number): readonly number[] {
    const { chances } = this;
    this.weigh(state, temperature);
    const total = chances.reduce((a, b) => a + b);
    for (let b = 0; b < chances.length; b++) chances[b] /= total;
    return chances;
  }

  /** An action. */
  act(state: number, temperature: number): number {
    return this.o.random.choice(this.chances.length, this.policy(state, temperature));
  }

  /** What the other may expect in a state: the soft minimum. */
  expected(state: number, temperature: number): number {
    const least = this.weigh(state, temperature);
    if (temperature === 0) return least;
    const mean = this.chances.reduce((a, b) => a + b) / this.chances.length;
    return least - temperature * real.log(mean);
  }

  /** Moves the value of an action towards what the other earned, and may expect from then on. */
  learn(state: number, action: number, target: number, rate: number): void {
    const at = state * this.o.actions + action;
    this.values[at] += rate * (target - this.values[at]);
  }

  /** Weights of the actions, 1 for the best. Gives the least value. */
  private weigh(state: number, temperature: number): number {
    const { chances, values } = this;
    const from = state * chances.length;
    let least = Number.POSITIVE_INFINITY;
    for (let b = 0; b < chances.length; b++) least = Math.min(least, values[from + b]);
    for (let b = 0; b < chances.length; b++) {
      const above = values[from + b] - least;
      chances[b] = temperature > 0 ? real.exp(-above / temperature) : above === 0 ? 1 : 0;
    }
    return least;
  }
}

/** Settings of {@link rationalityCurriculum}. */
export interface RationalityCurriculumOptions {
  /** The first temperature. */
  readonly from: number;
  /** Below this it is 0. */
  readonly least: number;
  /** What it is multiplied by whenever the other keeps up. */
  readonly factor: number;
  /** Mean return that counts as keeping up. */
  readonly threshold: number;
  /** Episodes of that mean. */
  readonly window: number;
}

/**
 * How rational an adversary is: its temperature falls as long as the other keeps up with it, and stays where it does not (Reddi et al.,
 * "Robust Adversarial Reinforcement Learning via Bounded Rationality Curricula", 2024).
 */
export function rationalityCurriculum(o: RationalityCurriculumOptions) {
  let [temperature, sum, count] = [o.from, 0, 0];
  return {
    /** The temperature now. */
    get value() {
      return temperature < o.least ? 0 : temperature;
    },
    /** An episode of the other. */
    told(earned: number): void {
      sum += earned;
      if (++count < o.window) return;
      if (sum / count >= o.threshold) temperature *= o.factor;
      [sum, count] = [0, 0];
    },
  };
}
