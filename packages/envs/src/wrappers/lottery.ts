import type { VectorEnv, VectorResetOptions } from "@reins/core";
import { checkKeys } from "@reins/core/errors";
import { checkUsualRange } from "@reins/core/settings";
import { RowStreams } from "./row-streams.ts";
import { emptyLike, Wrapper } from "./wrapper.ts";

/**
 * Pays a step's reward with this probability only, divided by it: the same mean with more variance. Reported
 * returns stay those of the environment.
 */
export function stochasticReward(env: VectorEnv, options: { chance: number }): VectorEnv {
  checkKeys("lottery", options, ["chance"]);
  checkUsualRange("lottery", "chance", options.chance, "positive", 0.25);
  return new Lottery(env, options.chance);
}

class Lottery extends Wrapper {
  private readonly chance: number;
  private readonly streams: RowStreams;

  constructor(inner: VectorEnv, chance: number) {
    super(inner, { reward: emptyLike(inner.reward) });
    this.chance = chance;
    this.streams = new RowStreams(inner, "lottery");
  }

  protected override parts() {
    const { reward, streams } = this;
    return { reward, streams };
  }

  protected override begun(options: VectorResetOptions): void {
    this.streams.seed(options.seed);
    this.reward.data.fill(0);
  }

  protected override after(): void {
    const from = this.inner.reward.data;
    const to = this.reward.data;
    for (let i = 0; i < to.length; i++)
      to[i] = this.streams.of(i).random() < this.chance ? from[i] / this.chance : 0;
  }
}
