import { compile, random, scalar, type Tensor, type Tree, zeros } from "@reins/tensor";
import type { Acting } from "./algorithm.ts";
import type { VectorEnv } from "./env.ts";
import type { Act, Policy, View } from "./policy.ts";
import { restore, save } from "./snapshot.ts";

/** How a {@link Player} plays. */
export interface PlayOptions {
  /** The best action of every state (the default), or one drawn from the policy. */
  readonly greedy?: boolean;
  /** Seed of the actions that are drawn. */
  readonly seed?: number;
}

/**
 * A policy at the controls of an environment, without learning: to evaluate it, to watch it, to record what it does. The weights are
 * read where they are, so a player of a run in progress plays ever better.
 */
export class Player {
  readonly env: VectorEnv;
  private readonly first: Tensor;
  private readonly state: Tree;
  private readonly fresh: Tree;
  private readonly counter = scalar(0, "i32");
  private readonly act: () => Act;

  constructor(acting: Acting, env: VectorEnv, options: PlayOptions = {}) {
    const { greedy = true, seed = 0 } = options;
    const policy = acting.policy as Policy;
    this.env = env;
    this.first = zeros([env.rows], "bool").set(1);
    this.state = policy.start?.(env.rows) ?? {};
    this.fresh = policy.start?.(env.rows) ?? {};
    const view: View = {
      observation: env.observation,
      ...(env.mask ? { mask: env.mask } : {}),
      first: this.first,
    };
    this.act = this.bind(policy, acting.weights, view, greedy ? undefined : random.key(seed));
  }

  private bind(policy: Policy, weights: Tree, view: View, key: Tensor | undefined): () => Act {
    const { state, counter } = this;
    if (policy.host)
      return () => {
        const acted = policy.act(weights, view, state, key && random.foldKey(key, counter));
        restore(state, save(acted.state));
        return acted;
      };
    const act = compile(
      (w: Tree, v: View, s: Tree, c: Tensor) =>
        policy.act(w, v, s, key && random.foldKey(key, c)) as unknown as Tree,
      { name: "play", donate: [2] },
    );
    const bound = act.bind(weights, view, state, counter);
    const result = bound.result as unknown as Act;
    return () => (bound.run(), result);
  }

  /** Begins episodes in all rows; row i gets seed + i. */
  reset(seed?: number): void {
    this.env.reset({ seed });
    this.first.data.fill(1);
    restore(this.state, save(this.fresh));
  }

  /** Chooses an action for every row, without taking it. */
  choose(): Act {
    const acted = this.act();
    this.counter.data[0]++;
    return acted;
  }

  /** One step of every row. */
  step(): void {
    this.env.step(this.choose().action);
    const first = this.first.data;
    const terminated = this.env.terminated.data;
    const truncated = this.env.truncated.data;
    for (let i = 0; i < first.length; i++) first[i] = terminated[i] | truncated[i];
  }
}
