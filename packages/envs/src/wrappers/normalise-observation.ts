import { box, fail, type VectorEnv } from "@reins/core";
import { checkKeys } from "@reins/core/errors";
import { columns } from "@reins/core/spaces";
import type { Tensor, TypedArray } from "@reins/tensor";
import { boxObservation, sizeOf } from "./boxes.ts";
import { RunningStatistics } from "./running-statistics.ts";
import { Wrapper } from "./wrapper.ts";

/** Options of observation normalisation. */
export interface NormaliseObservationOptions {
  /** Whether observations update the statistics. Set it to false for evaluation. */
  readonly training?: boolean;
  /** Initial statistics: those of the training environment, for evaluation. */
  readonly statistics?: RunningStatistics;
  /** Clip range of normalised numbers. */
  readonly clip?: number;
  /** Added to the variance, against division by 0. */
  readonly epsilon?: number;
}

/**
 * Normalises observations to mean 0 and variance 1 by running statistics.
 *
 * @example
 * const train = normaliseObservation(make("Pendulum-v1", { rows: 8 }));
 * const test = normaliseObservation(make("Pendulum-v1"), { training: false, statistics: train.statistics });
 */
export function normaliseObservation(
  env: VectorEnv,
  options: NormaliseObservationOptions = {},
): NormalisedObservation {
  checkKeys("normaliseObservation", options, ["training", "statistics", "clip", "epsilon"]);
  return new NormalisedObservation(env, options);
}

/** An environment with normalised observations, and their statistics. */
export class NormalisedObservation extends Wrapper {
  readonly statistics: RunningStatistics;
  readonly training: boolean;
  private readonly clip: number;
  private readonly epsilon: number;

  constructor(inner: VectorEnv, options: NormaliseObservationOptions) {
    const { training = true, statistics, clip = 10, epsilon = 1e-8 } = options;
    const { shape } = boxObservation("normaliseObservation", inner.spec);
    const observation = box(shape, -clip, clip);
    super(inner, {
      spec: { observation },
      observation: columns(observation, inner.rows),
      final: columns(observation, inner.rows),
    });
    const width = sizeOf(observation);
    if (statistics && statistics.mean.length !== width)
      fail(
        "normaliseObservation",
        `${inner.spec.id} observes ${width} numbers, but the statistics have ${statistics.mean.length}.`,
      );
    this.statistics = statistics ?? new RunningStatistics(width);
    this.training = training;
    this.clip = clip;
    this.epsilon = epsilon;
  }

  protected override parts() {
    const { observation, final, statistics } = this;
    return { observation, final, statistics };
  }

  protected override begun(): void {
    this.take(false);
  }

  protected override after(): void {
    this.take(true);
  }

  private take(stepped: boolean): void {
    const { inner, rows, statistics } = this;
    const observation = (inner.observation as Tensor).data;
    const final = (inner.final as Tensor).data;
    if (this.training) {
      // Agents that have left, or wait for their turn, keep an old observation.
      const alive = this.alive?.data;
      statistics.update(observation, rows, alive, alive);
      // The final observation of an episode counts as well.
      if (stepped) statistics.update(final, rows, this.terminated.data, this.truncated.data);
    }
    this.write(observation, (this.observation as Tensor).data);
    if (stepped) this.write(final, (this.final as Tensor).data);
  }

  private write(from: TypedArray, to: TypedArray): void {
    const { clip, epsilon } = this;
    const { mean, variance } = this.statistics;
    const width = mean.length;
    for (let i = 0; i < width; i++) {
      const middle = mean[i];
      const scale = 1 / Math.sqrt(variance[i] + epsilon);
      for (let at = i; at < from.length; at += width)
        to[at] = Math.min(Math.max((from[at] - middle) * scale, -clip), clip);
    }
  }
}
