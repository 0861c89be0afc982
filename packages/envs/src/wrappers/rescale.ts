import { type Box, box, type VectorEnv } from "@reins/core";
import { checkKeys } from "@reins/core/errors";
import { columns } from "@reins/core/spaces";
import type { Tensor, Tree, TypedArray } from "@reins/tensor";
import { boundsOf, boxAction, boxObservation, requireFinite } from "./boxes.ts";
import { Wrapper } from "./wrapper.ts";

/** Target range. */
export interface RescaleOptions {
  readonly low?: number;
  readonly high?: number;
}

/** Rescales actions from `low` and `high` (-1 and 1 by default) to the bounds of the environment. */
export function rescaleAction(env: VectorEnv, options: RescaleOptions = {}): VectorEnv {
  checkKeys("rescaleAction", options, ["low", "high"]);
  return new RescaledAction(env, options);
}

class RescaledAction extends Wrapper {
  private readonly action: Tensor;
  private readonly line: Line;

  constructor(inner: VectorEnv, { low = -1, high = 1 }: RescaleOptions) {
    const space = boxAction("rescaleAction", inner.spec);
    requireFinite("rescaleAction", inner.spec.id, "action", space);
    const scaled = box(space.shape, low, high);
    super(inner, { spec: { action: scaled } });
    this.action = columns(space, inner.rows) as Tensor;
    this.line = lineBetween(scaled, space);
  }

  protected override before(action: Tree): Tree {
    follow(this.line, (action as Tensor).data, this.action.data);
    return this.action;
  }
}

/**
 * Rescales observations to `low` and `high` (-1 and 1 by default); those of the environment must have finite
 * bounds.
 */
export function rescaleObservation(env: VectorEnv, options: RescaleOptions = {}): VectorEnv {
  checkKeys("rescaleObservation", options, ["low", "high"]);
  return new RescaledObservation(env, options);
}

class RescaledObservation extends Wrapper {
  private readonly line: Line;

  constructor(inner: VectorEnv, { low = -1, high = 1 }: RescaleOptions) {
    const space = boxObservation("rescaleObservation", inner.spec);
    requireFinite("rescaleObservation", inner.spec.id, "observation", space);
    const observation = box(space.shape, low, high);
    super(inner, {
      spec: { observation },
      observation: columns(observation, inner.rows),
      final: columns(observation, inner.rows),
    });
    this.line = lineBetween(space, observation);
  }

  protected override parts() {
    const { observation, final } = this;
    return { observation, final };
  }

  protected override begun(): void {
    follow(this.line, (this.inner.observation as Tensor).data, (this.observation as Tensor).data);
  }

  protected override after(): void {
    this.begun();
    follow(this.line, (this.inner.final as Tensor).data, (this.final as Tensor).data);
  }
}

/** Scale and offset of each element. */
interface Line {
  readonly slope: Float64Array;
  readonly offset: Float64Array;
}

function lineBetween(from: Box, to: Box): Line {
  const [a, b] = [boundsOf(from), boundsOf(to)];
  // A constant element, whose bounds are equal, stays at the lower end.
  const slope = a.low.map((low, i) => (a.high[i] > low ? (b.high[i] - b.low[i]) / (a.high[i] - low) : 0));
  return { slope, offset: slope.map((s, i) => b.low[i] - s * a.low[i]) };
}

function follow({ slope, offset }: Line, from: TypedArray, to: TypedArray): void {
  const width = slope.length;
  for (let i = 0; i < width; i++)
    for (let at = i; at < to.length; at += width) to[at] = from[at] * slope[i] + offset[i];
}
