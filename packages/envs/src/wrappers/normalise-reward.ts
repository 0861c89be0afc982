import { fail, type VectorEnv } from "@reins/core";
import { checkKeys } from "@reins/core/errors";
import { checkUsualRange } from "@reins/core/settings";
import { RunningStatistics } from "./running-statistics.ts";
import { emptyLike, Wrapper } from "./wrapper.ts";

/** Options of reward normalisation. */
export interface NormaliseRewardOptions {
  /** Discount factor of the returns whose variance is measured: that of the algorithm. */
  readonly gamma?: number;
  /** Whether rewards update the variance. Set it to false for evaluation. */
  readonly training?: boolean;
  /** Initial variance: that of the training environment, for evaluation. */
  readonly statistics?: RunningStatistics;
  /** Clip range of normalised rewards. */
  readonly clip?: number;
  /** Added to the variance. */
  readonly epsilon?: number;
}

/** Divides rewards by the standard deviation of the discounted return so far, as in Gymnasium. */
export function normaliseReward(env: VectorEnv, options: NormaliseRewardOptions = {}): NormalisedReward {
  checkKeys("normaliseReward", options, ["gamma", "training", "statistics", "clip", "epsilon"]);
  if (options.gamma !== undefined) checkUsualRange("normaliseReward", "gamma", options.gamma, "share", 0.99);
  return new NormalisedReward(env, options);
}

/** An environment with normalised rewards, and their statistics. */
export class NormalisedReward extends Wrapper {
  readonly statistics: RunningStatistics;
  readonly training: boolean;
  private readonly gamma: number;
  private readonly clip: number;
  private readonly epsilon: number;
  private readonly returns: Float64Array;
  /** Whether a row is in an episode, where agents come and go. */
  private readonly inside: Uint8Array | undefined;

  constructor(inner: VectorEnv, options: NormaliseRewardOptions) {
    const {
      gamma = 0.99,
      training = true,
      statistics,
      clip = Number.POSITIVE_INFINITY,
      epsilon = 1e-8,
    } = options;
    if (inner.spec.rewards)
      fail("normaliseReward", `the reward of ${inner.spec.id} is a vector; this wrapper needs a scalar.`);
    super(inner, { reward: emptyLike(inner.reward) });
    this.statistics = statistics ?? new RunningStatistics(1);
    this.training = training;
    this.gamma = gamma;
    this.clip = clip;
    this.epsilon = epsilon;
    this.returns = new Float64Array(inner.rows);
    if (inner.begins) this.inside = new Uint8Array(inner.rows);
  }

  protected override parts() {
    const { reward, statistics, returns, inside } = this;
    return { reward, statistics, returns, ...(inside ? { inside } : {}) };
  }

  protected override begun(): void {
    this.returns.fill(0);
    this.reward.data.fill(0);
    this.inside?.set(this.begins!.data);
  }

  protected override after(): void {
    const { rows, returns, gamma, clip, statistics, inside } = this;
    const raw = this.inner.reward.data;
    const reward = this.reward.data;
    const terminated = this.terminated.data;
    const truncated = this.truncated.data;
    // A terminated step counts with its reward alone: Gymnasium's formula, kept for comparable runs.
    for (let i = 0; i < rows; i++) returns[i] = returns[i] * gamma * (1 - terminated[i]) + raw[i];
    // The rewards of absent agents are not samples.
    if (this.training) statistics.update(returns, rows, inside, inside);
    const scale = 1 / Math.sqrt(statistics.variance[0] + this.epsilon);
    for (let i = 0; i < rows; i++) {
      reward[i] = Math.min(Math.max(raw[i] * scale, -clip), clip);
      const ended = terminated[i] || truncated[i];
      if (ended) returns[i] = 0;
      if (inside) inside[i] = this.begins!.data[i] || (ended ? 0 : inside[i]);
    }
  }
}
