import { checkWithin, fail, type VectorEnv, type VectorResetOptions } from "@reins/core";
import type { Tree } from "@reins/tensor";
import { emptyLike, Wrapper } from "../wrappers/wrapper.ts";
import type { Novelty } from "./novelty.ts";

/** How a bonus goes into the reward. */
export interface IntrinsicOptions {
  /** What the bonus is multiplied by; higher explores more and heeds the reward less (0.01 to 1). */
  readonly weight?: number;
  /** Environment steps, of all rows together, in which the weight falls to 0 in a straight line; without it the weight stays. */
  readonly decay?: number;
  /** Whether the bonus takes the place of the reward instead of being added to it. */
  readonly only?: boolean;
}

/** The names of {@link IntrinsicOptions}. */
export const intrinsicNames = ["weight", "decay", "only"] as const;

/**
 * An environment whose reward has a bonus for what is new. Returns of episodes stay those of the environment alone. Any novelty will do:
 * `rnd`, `counts`, `icm` and `disagreement` bring theirs.
 */
export class IntrinsicReward extends Wrapper {
  /** The last step's bonus of each row, before it is weighed. */
  readonly bonus: Float32Array;
  private readonly novelty: Novelty;
  private readonly first: number;
  private readonly decay: number;
  private readonly only: boolean;
  private readonly counter = { steps: 0 };

  constructor(inner: VectorEnv, novelty: Novelty, options: IntrinsicOptions = {}) {
    const { weight = 1, decay, only = false } = options;
    checkWithin("intrinsic reward", "weight", weight, "nonnegative", 0.1);
    if (decay !== undefined) checkWithin("intrinsic reward", "decay", decay, "positive", 100_000);
    super(inner, { reward: emptyLike(inner.reward) });
    this.bonus = new Float32Array(inner.rows);
    this.novelty = novelty;
    this.first = weight;
    this.decay = decay ?? Number.POSITIVE_INFINITY;
    this.only = only;
  }

  /** What the next bonus is multiplied by. */
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

/** Refuses environments whose rows are not steps of one agent with one reward. */
export function admitOneReward(who: string, { spec }: VectorEnv): void {
  if (spec.rewards) fail(who, `the reward of ${spec.id} is a vector; a bonus is added to a number.`);
  if (spec.agents) fail(who, `${spec.id} has several agents; a bonus is for one.`);
}
