import { box, type VectorEnv, type VectorResetOptions } from "@reins/core";
import { checkUsualRange } from "@reins/core/settings";
import { columns } from "@reins/core/spaces";
import type { Tensor, TypedArray } from "@reins/tensor";
import { boxObservation } from "./boxes.ts";
import { RowStreams } from "./row-streams.ts";
import { Wrapper } from "./wrapper.ts";

/** Adds normal noise of this standard deviation to each number of the observation. */
export function noise(env: VectorEnv, deviation: number): VectorEnv {
  return new NoisyObservation(env, deviation);
}

class NoisyObservation extends Wrapper {
  private readonly deviation: number;
  private readonly streams: RowStreams;

  constructor(inner: VectorEnv, deviation: number) {
    checkUsualRange("noise", "the deviation", deviation, "nonnegative", 0.1);
    // Noisy observations are unbounded.
    const observation = box(boxObservation("noise", inner.spec).shape);
    super(inner, {
      spec: { observation },
      observation: columns(observation, inner.rows),
      final: columns(observation, inner.rows),
    });
    this.deviation = deviation;
    this.streams = new RowStreams(inner, "noise");
  }

  protected override parts() {
    const { observation, final, streams } = this;
    return { observation, final, streams };
  }

  protected override begun(options: VectorResetOptions): void {
    this.streams.seed(options.seed);
    for (let row = 0; row < this.rows; row++)
      this.blur(row, (this.inner.observation as Tensor).data, (this.observation as Tensor).data);
  }

  protected override after(): void {
    for (let row = 0; row < this.rows; row++) {
      if (this.terminated.data[row] || this.truncated.data[row])
        this.blur(row, (this.inner.final as Tensor).data, (this.final as Tensor).data);
      this.blur(row, (this.inner.observation as Tensor).data, (this.observation as Tensor).data);
    }
  }

  private blur(row: number, from: TypedArray, to: TypedArray): void {
    const width = to.length / this.rows;
    const stream = this.streams.of(row);
    for (let i = row * width; i < (row + 1) * width; i++)
      to[i] = from[i] + this.deviation * stream.standardNormal();
  }
}
