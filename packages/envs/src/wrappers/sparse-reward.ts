import type { VectorEnv } from "@reins/core";
import { checkKeys } from "@reins/core/errors";
import { emptyLike, Wrapper } from "./wrapper.ts";

/** Reward 1 for a step whose reward is at least `least`, and 0 otherwise. */
export function sparseReward(env: VectorEnv, options: { least: number }): VectorEnv {
  checkKeys("sparseReward", options, ["least"]);
  return new SparseReward(env, options.least);
}

class SparseReward extends Wrapper {
  private readonly least: number;

  constructor(inner: VectorEnv, least: number) {
    super(inner, { reward: emptyLike(inner.reward) });
    this.least = least;
  }

  protected override parts() {
    return { reward: this.reward };
  }

  protected override begun(): void {
    this.reward.data.fill(0);
  }

  protected override after(): void {
    const from = this.inner.reward.data;
    const to = this.reward.data;
    for (let i = 0; i < to.length; i++) to[i] = from[i] >= this.least ? 1 : 0;
  }
}
