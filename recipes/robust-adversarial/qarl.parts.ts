import type { Generator } from "@reins/core/random";
import { real } from "@reins/tensor";

/** Settings of {@link QuantalAdversary}. */
export interface QuantalAdversaryOptions {
  readonly states: number;
  readonly actions: number;
  readonly random: Generator;
}

/**
 * A tabular adversary that minimises another agent's return with bounded rationality: a softmax over values with a
 * temperature, where values include the entropy term (a quantal response; McKelvey and Palfrey, 1995). At
 * temperature 0 it is fully rational; far above all values it plays at random.
 */
export class QuantalAdversary {
  /** The other agent's return after each action in each state. */
  readonly values: Float64Array;
  private readonly o: QuantalAdversaryOptions;
  private readonly chances: number[];

  constructor(o: QuantalAdversaryOptions) {
    this.o = o;
    this.values = new Float64Array(o.states * o.actions);
    this.chances = new Array<number>(o.actions).fill(0);
  }

  /** Probability of each action. */
  policy(state: number, temperature: number): readonly number[] {
    const { chances } = this;
    this.weigh(state, temperature);
    const total = chances.reduce((a, b) => a + b);
    for (let b = 0; b < chances.length; b++) chances[b] /= total;
    return chances;
  }

  /** Samples an action. */
  act(state: number, temperature: number): number {
    return this.o.random.choice(this.chances.length, this.policy(state, temperature));
  }

  /** The other agent's value of a state: the soft minimum. */
  expected(state: number, temperature: number): number {
    const least = this.weigh(state, temperature);
    if (temperature === 0) return least;
    const mean = this.chances.reduce((a, b) => a + b) / this.chances.length;
    return least - temperature * real.log(mean);
  }

  /** Moves the value of an action towards the other agent's reward plus future value. */
  learn(state: number, action: number, target: number, rate: number): void {
    const at = state * this.o.actions + action;
    this.values[at] += rate * (target - this.values[at]);
  }

  /** Unnormalised probabilities of the actions, 1 for the best. Returns the minimum value. */
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
  /** Initial temperature. */
  readonly from: number;
  /** Temperatures below this become 0. */
  readonly least: number;
  /** Factor applied when the other agent keeps up. */
  readonly factor: number;
  /** Mean return at which the other agent counts as keeping up. */
  readonly threshold: number;
  /** Episodes in that mean. */
  readonly window: number;
}

/**
 * Curriculum over an adversary's rationality: its temperature falls while the other agent keeps up (Reddi et al.,
 * "Robust Adversarial Reinforcement Learning via Bounded Rationality Curricula", 2024).
 */
export function rationalityCurriculum(o: RationalityCurriculumOptions) {
  let [temperature, sum, count] = [o.from, 0, 0];
  return {
    /** The current temperature. */
    get value() {
      return temperature < o.least ? 0 : temperature;
    },
    /** Records an episode return of the other agent. */
    told(earned: number): void {
      sum += earned;
      if (++count < o.window) return;
      if (sum / count >= o.threshold) temperature *= o.factor;
      [sum, count] = [0, 0];
    },
  };
}
