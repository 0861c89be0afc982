/** An advisor: learns action values for one part of the reward from one part of the state. */
export interface Advisor {
  /** Index of the state as the advisor observes it, from 0. */
  view(state: number): number;
  /** Whether the advisor is active in a state: whether its part of the reward can still be collected. */
  isActive(state: number): boolean;
  /** The advisor's part of a step's reward. */
  reward(state: number, next: number): number;
}

/** An advisor's estimate of the next state's value, from its action values there and the aggregator's action. */
export type Bootstrap = (values: Float64Array, aggregated: number) => number;

/**
 * How advisors bootstrap (Laroche et al., 2017). Egocentric advisors assume that they choose the next action;
 * where they disagree their sum is too high, which attracts the agent to such states. Agnostic advisors assume
 * random actions and avoid danger more than necessary. Empathic advisors assume the aggregator's action.
 */
export const bootstraps = {
  egocentric: (values) => values[best(values)],
  agnostic: (values) => values.reduce((a, b) => a + b) / values.length,
  empathic: (values, aggregated) => values[aggregated],
} as const satisfies { readonly [name: string]: Bootstrap };

/** Settings of {@link Advice}. */
export interface AdviceOptions {
  readonly advisors: readonly Advisor[];
  /** Number of states that the advisor distinguishes. */
  readonly views: number;
  readonly actions: number;
  readonly bootstrap: Bootstrap;
  readonly gamma: number;
  readonly learningRate: number;
}

/**
 * Advisors that learn by Q-learning from the same steps, and an aggregator that acts greedily on the sum of their
 * values.
 */
export class Advice {
  private readonly options: AdviceOptions;
  private readonly tables: readonly (readonly Float64Array[])[];
  private readonly sum: Float64Array;

  constructor(options: AdviceOptions) {
    this.options = options;
    const { advisors, views, actions } = options;
    this.tables = advisors.map(() => Array.from({ length: views }, () => new Float64Array(actions)));
    this.sum = new Float64Array(actions);
  }

  /** Sum of all advisors' values of each action. The array is overwritten by each call. */
  values(state: number): Float64Array {
    const { sum, tables } = this;
    sum.fill(0);
    this.options.advisors.forEach((advisor, j) => {
      if (!advisor.isActive(state)) return;
      const values = tables[j][advisor.view(state)];
      for (let a = 0; a < sum.length; a++) sum[a] += values[a];
    });
    return sum;
  }

  /** The aggregator's action. */
  act(state: number): number {
    return best(this.values(state));
  }

  /** Learns from a step; returns the sum of the squared errors. */
  learn(state: number, action: number, next: number): number {
    const { advisors, bootstrap, gamma, learningRate } = this.options;
    const aggregated = this.act(next);
    let squares = 0;
    advisors.forEach((advisor, j) => {
      if (!advisor.isActive(state)) return;
      const future = advisor.isActive(next) ? bootstrap(this.tables[j][advisor.view(next)], aggregated) : 0;
      const values = this.tables[j][advisor.view(state)];
      const error = advisor.reward(state, next) + gamma * future - values[action];
      values[action] += learningRate * error;
      squares += error ** 2;
    });
    return squares;
  }
}

function best(values: Float64Array): number {
  let first = 0;
  for (let a = 1; a < values.length; a++) if (values[a] > values[first]) first = a;
  return first;
}
