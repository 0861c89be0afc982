import { fail, type VectorEnv, type VectorResetOptions } from "@reins/core";
import { checkUsualRange } from "@reins/core/settings";
import type { Tree } from "@reins/tensor";
import { emptyLike, Wrapper } from "../wrappers/wrapper.ts";
import type { Novelty } from "./novelty.ts";

/** Options of an intrinsic reward. */
export interface IntrinsicOptions {
  /** Weight of the intrinsic reward; higher explores more and follows the reward less (0.01 to 1). */
  readonly weight?: number;
  /** Environment steps, over all rows, in which the weight decays linearly to 0; without it the weight is constant. */
  readonly decay?: number;
  /** Whether the intrinsic reward replaces the reward instead of being added to it. */
  readonly only?: boolean;
}

/** The names of {@link IntrinsicOptions}. */
export const intrinsicNames = ["weight", "decay", "only"] as const;

/**
 * An environment with an intrinsic reward. Episode returns stay those of the environment alone. It accepts any
 * novelty: `rnd`, `counts`, `icm` and `disagreement` pass theirs.
 */
export class IntrinsicReward extends Wrapper {
  /** The last step's intrinsic reward of each row, unweighted. */
  readonly bonus: Float32Array;
  private readonly novelty: Novelty;
  private readonly first: number;
  private readonly decay: number;
  private readonly only: boolean;
  private readonly counter = { steps: 0 };

  constructor(inner: VectorEnv, novelty: Novelty, options: IntrinsicOptions = {}) {
    const { weight = 1, decay, only = false } = options;
    checkUsualRange("intrinsic reward", "weight", weight, "nonnegative", 0.1);
    if (decay !== undefined) checkUsualRange("intrinsic reward", "decay", decay, "positive", 100_000);
    super(inner, { reward: emptyLike(inner.reward) });
    this.bonus = new Float32Array(inner.rows);
    this.novelty = novelty;
    this.first = weight;
    this.decay = decay ?? Number.POSITIVE_INFINITY;
    this.only = only;
  }

  /** Weight of the next intrinsic reward. */
  get weight(): number {
    return this.first * Math.max(0, 1 - this.counter.steps / this.decay);
  }

  protected override parts() {
    const { reward, bonus, novelty, counter } = this;
    return { reward, bonus, novelty, counter };
  }

  protected override begun({ seed }: VectorResetOptions): void {
    if (seed !== undefined) this.counter.steps = 0;
    this.bonus.fill(0);
    this.reward.data.fill(0);
    this.novelty.begun(typeof seed === "object" ? seed[0] : seed);
  }

  protected override after(action: Tree): void {
    const { bonus, weight, only } = this;
    const reward = this.reward.data;
    const outer = this.inner.reward.data;
    this.novelty.took(action, bonus);
    for (let i = 0; i < this.rows; i++) reward[i] = (only ? 0 : outer[i]) + weight * bonus[i];
    this.counter.steps += this.rows;
  }
}

/** Fails for environments with several agents or vector rewards. */
export function admitOneReward(name: string, { spec }: VectorEnv): void {
  if (spec.rewards) fail(name, `the reward of ${spec.id} is a vector; an intrinsic reward needs a scalar.`);
  if (spec.agents) fail(name, `${spec.id} has several agents; an intrinsic reward supports one.`);
}
