import { box, discrete, fail } from "@reins/core";
import type { Tensor } from "@reins/tensor";
import { BatchedEnv, type BatchedOptions } from "./batch-form.ts";

/** Options of a bandit. */
export interface BanditOptions extends BatchedOptions {
  /** The mean reward of each arm: known, so that regret can be computed. */
  readonly means?: readonly number[];
  /** Reward distribution: 1 with the arm's mean as probability, or normal around the mean. */
  readonly rewards?: "bernoulli" | "gaussian";
  /** Standard deviation of gaussian rewards. */
  readonly deviation?: number;
}

/**
 * A multi-armed bandit without observations; an episode is `maxSteps` pulls. Robbins, "Some Aspects of the
 * Sequential Design of Experiments" (1952).
 */
export class Bandit extends BatchedEnv {
  readonly means: readonly number[];
  protected readonly state;
  private readonly gaussian: boolean;
  private readonly deviation: number;

  constructor(options: BanditOptions = {}) {
    const { means = [0.1, 0.3, 0.5, 0.7, 0.9], rewards = "bernoulli", deviation = 1, ...rest } = options;
    const id = rewards === "gaussian" ? "GaussianBandit-v0" : "BernoulliBandit-v0";
    if (means.length < 1) fail(id, "means is empty. Pass one number per arm.");
    if (rewards === "bernoulli" && means.some((m) => !(m >= 0 && m <= 1)))
      fail(
        id,
        `means are ${means.join(", ")}, but probabilities must be between 0 and 1. Use rewards: "gaussian" for other means.`,
      );
    super({ id, observation: box([1], 0, 1), action: discrete(means.length), maxSteps: 100 }, rest);
    this.means = means;
    this.gaussian = rewards === "gaussian";
    this.deviation = deviation;
    this.state = { last: new Int32Array(this.rows) };
  }

  /** Regret of pulling `arm` instead of the best one. */
  regret(arm: number): number {
    return this.means.reduce((a, b) => Math.max(a, b)) - this.means[arm];
  }

  protected begin(row: number): void {
    this.state.last[row] = -1;
  }

  protected observe(row: number): void {
    this.observation.data[row] = 0;
  }

  protected move(action: Tensor, from: number, to: number): void {
    const { gaussian, deviation, means } = this;
    const { last } = this.state;
    const arms = action.data;
    const reward = this.reward.data;
    for (let row = from; row < to; row++) {
      const arm = arms[row];
      const random = this.random[row];
      const mean = means[arm];
      last[row] = arm;
      reward[row] = gaussian ? random.normal(mean, deviation) : random.random() < mean ? 1 : 0;
    }
  }

  render(row: number): string {
    const highest = this.means.reduce((most, mean) => Math.max(most, Math.abs(mean)), 1e-9);
    return this.means
      .map((mean, arm) => {
        const bar = "█".repeat(Math.round((Math.abs(mean) / highest) * 40));
        return `${arm === this.state.last[row] ? "▶" : " "} ${String(arm).padStart(2)} ${bar} ${mean}`;
      })
      .join("\n");
  }
}
