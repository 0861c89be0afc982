import type { Generator } from "@reins/core/random";
import { real } from "@reins/tensor";

/** Settings of {@link SoftmaxTable}. */
export interface SoftmaxTableOptions {
  readonly states: number;
  readonly actions: number;
  readonly learningRate: number;
  /** Weight of the entropy bonus. */
  readonly entropyWeight?: number;
  /** Learning rate of the baseline. */
  readonly baselineRate?: number;
}

/** An episodic environment with numbered states and actions. */
export interface TabularEpisodes {
  readonly states: number;
  readonly actions: number;
  begin(): number;
  step(action: number): { readonly state: number; readonly reward: number; readonly over: boolean };
}

/** A tabular softmax policy trained by policy gradient with a baseline per state (Williams, 1992). */
export class SoftmaxTable {
  private readonly options: Required<SoftmaxTableOptions>;
  private readonly preferences: Float64Array;
  private readonly baseline: Float64Array;
  private readonly chances: Float64Array;

  constructor(options: SoftmaxTableOptions) {
    this.options = { entropyWeight: 0, baselineRate: 0.1, ...options };
    this.preferences = new Float64Array(options.states * options.actions);
    this.baseline = new Float64Array(options.states);
    this.chances = new Float64Array(options.actions);
  }

  /** Probability of each action. The array is overwritten by each call. */
  probabilities(state: number): Float64Array {
    const { preferences, chances } = this;
    const [n, from] = [chances.length, state * chances.length];
    let [most, sum] = [Number.NEGATIVE_INFINITY, 0];
    for (let a = 0; a < n; a++) most = Math.max(most, preferences[from + a]);
    for (let a = 0; a < n; a++) sum += chances[a] = real.exp(preferences[from + a] - most);
    for (let a = 0; a < n; a++) chances[a] /= sum;
    return chances;
  }

  draw(state: number, random: Generator): number {
    const chances = this.probabilities(state);
    let left = random.random();
    for (let a = 0; a < chances.length - 1; a++) {
      left -= chances[a];
      if (left < 0) return a;
    }
    return chances.length - 1;
  }

  /** Reinforces an action by its return minus the state's baseline; returns that advantage. */
  learn(state: number, action: number, followed: number): number {
    const { learningRate, entropyWeight, baselineRate } = this.options;
    const chances = this.probabilities(state);
    const advantage = followed - this.baseline[state];
    this.baseline[state] += baselineRate * advantage;
    const logs = entropyWeight > 0 ? chances.map((p) => real.log(Math.max(p, 1e-12))) : chances;
    const entropy = entropyWeight > 0 ? -chances.reduce((sum, p, a) => sum + p * logs[a], 0) : 0;
    for (let a = 0; a < chances.length; a++) {
      const towards = advantage * ((a === action ? 1 : 0) - chances[a]);
      const random = entropyWeight > 0 ? -entropyWeight * chances[a] * (logs[a] + entropy) : 0;
      this.preferences[state * chances.length + a] += learningRate * (towards + random);
    }
    return advantage;
  }

  /** Plays an episode and learns from it: each action by its return. Returns the mean advantage. */
  episode(world: TabularEpisodes, random: Generator): number {
    const path: { state: number; action: number; reward: number }[] = [];
    for (let state = world.begin(), over = false; !over; ) {
      const action = this.draw(state, random);
      const next = world.step(action);
      path.push({ state, action, reward: next.reward });
      ({ state, over } = next);
    }
    for (let t = path.length - 2; t >= 0; t--) path[t].reward += path[t + 1].reward;
    return path.reduce((sum, p) => sum + this.learn(p.state, p.action, p.reward), 0) / path.length;
  }
}
