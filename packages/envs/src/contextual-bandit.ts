import { box, discrete } from "@reins/core";
import { defaultRng } from "@reins/core/random";
import type { Tensor } from "@reins/tensor";
import { BatchedEnv, type BatchedOptions } from "./batch-form.ts";

/** Options of a contextual bandit. */
export interface LinearBanditOptions extends BatchedOptions {
  readonly arms?: number;
  /** Features of a context. */
  readonly features?: number;
  /** Standard deviation of the reward noise. With more noise, arms need more pulls to distinguish. */
  readonly noise?: number;
  /** Seed of the arms' weights; equal seeds give equal problems. */
  readonly problem?: number;
}

/**
 * Each pull has a new random context x, and arm a has reward w_a · x plus noise. Contexts and weights lie on the
 * unit sphere, so that means are between -1 and 1. Li et al., "A Contextual-Bandit Approach to Personalized News
 * Article Recommendation" (2010).
 */
export class LinearBandit extends BatchedEnv {
  /** The arms' weights, one row of `features` numbers each. */
  readonly weights: Float64Array;
  protected readonly state;
  private readonly arms: number;
  private readonly features: number;
  private readonly noise: number;

  constructor(options: LinearBanditOptions = {}) {
    const { arms = 5, features = 8, noise = 0.1, problem = 0, ...rest } = options;
    super(
      {
        id: "LinearBandit-v0",
        observation: box([features], -1, 1),
        action: discrete(arms),
        maxSteps: 100,
      },
      rest,
    );
    this.arms = arms;
    this.features = features;
    this.noise = noise;
    this.weights = new Float64Array(arms * features);
    const random = defaultRng(problem);
    for (let a = 0; a < arms; a++) {
      for (let f = 0; f < features; f++) this.weights[a * features + f] = random.standardNormal();
      normalise(this.weights, a * features, features);
    }
    this.state = { contexts: new Float64Array(this.rows * features) };
  }

  /** Mean reward of an arm in the current context of a row. */
  mean(row: number, arm: number): number {
    const { features, weights } = this;
    let sum = 0;
    for (let f = 0; f < features; f++)
      sum += weights[arm * features + f] * this.state.contexts[row * features + f];
    return sum;
  }

  /** Regret of pulling `arm` in the current context of a row. */
  regret(row: number, arm: number): number {
    let best = Number.NEGATIVE_INFINITY;
    for (let a = 0; a < this.arms; a++) best = Math.max(best, this.mean(row, a));
    return best - this.mean(row, arm);
  }

  protected begin(row: number): void {
    const { contexts } = this.state;
    const at = row * this.features;
    for (let f = 0; f < this.features; f++) contexts[at + f] = this.random[row].standardNormal();
    normalise(contexts, at, this.features);
  }

  protected observe(row: number): void {
    const at = row * this.features;
    for (let f = 0; f < this.features; f++) this.observation.data[at + f] = this.state.contexts[at + f];
  }

  protected move(action: Tensor, from: number, to: number): void {
    for (let row = from; row < to; row++) {
      const mean = this.mean(row, action.data[row]);
      this.reward.data[row] = mean + this.noise * this.random[row].standardNormal();
      this.begin(row);
      this.observe(row);
    }
  }

  render(row: number): string {
    const means = Array.from({ length: this.arms }, (_, a) => this.mean(row, a));
    return means
      .map((m, a) => `${String(a).padStart(2)} ${"█".repeat(Math.round((m + 1) * 20))} ${m.toFixed(2)}`)
      .join("\n");
  }
}

function normalise(values: Float64Array, at: number, length: number): void {
  let square = 0;
  for (let i = at; i < at + length; i++) square += values[i] * values[i];
  const factor = 1 / Math.sqrt(square);
  for (let i = at; i < at + length; i++) values[i] *= factor;
}
