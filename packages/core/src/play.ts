import { random, type Tensor, type Tree, zeros } from "@reins/tensor";
import type { CurrentPolicy } from "./algorithm.ts";
import type { VectorEnv, VectorResetOptions } from "./env.ts";
import { Actor } from "./loop/actor.ts";
import { viewOf } from "./moment.ts";
import { type Act, type PlayOptions, requireActing } from "./policy.ts";
import { defaultSeed, stream } from "./stream.ts";

/**
 * A policy at the controls of an environment, without learning: to evaluate it, to watch it, to record what it does. The weights are
 * read where they are, so a player of a run in progress plays ever better.
 */
export class Player {
  readonly env: VectorEnv;
  /** What was done in the last step; undefined before the first. */
  action: Tree | undefined;
  private readonly first: Tensor;
  private readonly actor: Actor;

  constructor({ policy, weights }: CurrentPolicy, env: VectorEnv, options: PlayOptions = {}) {
    const { greedy = true, seed = defaultSeed } = options;
    this.env = env;
    this.first = zeros([env.rows], "bool").set(1);
    this.actor = new Actor({
      policy: requireActing(policy, "play"),
      weights,
      view: viewOf(env, this.first),
      rows: env.rows,
      ...(greedy ? {} : { key: random.key(stream(seed, "policy")) }),
    });
  }

  /** Begins episodes in all rows. A promise where the environment answers later, as with {@link step}. */
  reset(seed?: VectorResetOptions["seed"]): Promise<void> | undefined {
    this.env.reset({ seed });
    this.first.data.fill(1);
    this.actor.forget();
    return this.env.pending;
  }

  /** Chooses an action for every row, without taking it. */
  choose(): Act {
    return this.actor.act();
  }

  /** One step of every row. */
  step(): Promise<void> | undefined {
    this.action = this.choose().action;
    this.env.step(this.action);
    if (this.env.pending) return this.noteLater(this.env.pending);
    this.note();
    return undefined;
  }

  private async noteLater(answer: Promise<void>): Promise<void> {
    await answer;
    this.note();
  }

  private note(): void {
    const first = this.first.data;
    const terminated = this.env.terminated.data;
    const truncated = this.env.truncated.data;
    for (let i = 0; i < first.length; i++) first[i] = terminated[i] | truncated[i];
  }
}
