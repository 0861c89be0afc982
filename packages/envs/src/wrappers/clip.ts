import type { VectorEnv } from "@reins/core";
import { checkKeys } from "@reins/core/errors";
import { columns } from "@reins/core/spaces";
import type { Tensor, Tree } from "@reins/tensor";
import { boundsOf, boxAction } from "./boxes.ts";
import { emptyLike, Wrapper } from "./wrapper.ts";

/** Clips rewards to `low` and `high`; -1 and 1 by default. */
export function clipReward(env: VectorEnv, options: { low?: number; high?: number } = {}): VectorEnv {
  checkKeys("clipReward", options, ["low", "high"]);
  const { low = -1, high = 1 } = options;
  return new ClippedReward(env, low, high);
}

class ClippedReward extends Wrapper {
  private readonly low: number;
  private readonly high: number;

  constructor(inner: VectorEnv, low: number, high: number) {
    super(inner, { reward: emptyLike(inner.reward) });
    this.low = low;
    this.high = high;
  }

  protected override parts() {
    return { reward: this.reward };
  }

  protected override begun(): void {
    this.reward.data.fill(0);
  }

  protected override after(): void {
    const { low, high } = this;
    const from = this.inner.reward.data;
    const to = this.reward.data;
    for (let i = 0; i < to.length; i++) to[i] = Math.min(Math.max(from[i], low), high);
  }
}

/** Clips actions to the bounds of the action space. */
export function clipAction(env: VectorEnv): VectorEnv {
  return new ClippedAction(env);
}

class ClippedAction extends Wrapper {
  private readonly bounds;
  private readonly action: Tensor;

  constructor(inner: VectorEnv) {
    const space = boxAction("clipAction", inner.spec);
    super(inner);
    this.bounds = boundsOf(space);
    this.action = columns(space, inner.rows) as Tensor;
  }

  protected override before(action: Tree): Tree {
    const { low, high } = this.bounds;
    const from = (action as Tensor).data;
    const to = this.action.data;
    for (let i = 0; i < to.length; i++) {
      const element = i % low.length;
      to[i] = Math.min(Math.max(from[i], low[element]), high[element]);
    }
    return this.action;
  }
}
