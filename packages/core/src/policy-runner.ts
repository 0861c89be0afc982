import { random, type Tensor, type Tree, zeros } from "@reins/tensor";
import type { CurrentPolicy } from "./algorithm.ts";
import type { VectorEnv, VectorResetOptions } from "./env.ts";
import { Actor } from "./loop/actor.ts";
import { HeldColumns } from "./loop/held-columns.ts";
import { type ActionResult, type ActOptions, requireActingPolicy } from "./policy.ts";
import { markBeginnings, policyInput } from "./recorded-step.ts";
import { restore, type Saved, type Snapshot, save } from "./snapshot.ts";
import { defaultSeed, stream } from "./stream.ts";

/**
 * Runs a policy in an environment without learning: to evaluate, render or record it. The weights are
 * read in place, so a player of a run in progress uses its latest weights.
 */
export class PolicyRunner implements Saved {
  readonly env: VectorEnv;
  /** Actions of the last step; undefined before the first. */
  action: Tree | undefined;
  private readonly first: Tensor;
  private readonly actor: Actor;
  /** Checked after the first step. */
  private held: HeldColumns | undefined;

  constructor({ policy, weights }: CurrentPolicy, env: VectorEnv, options: ActOptions = {}) {
    const { greedy = true, seed = defaultSeed } = options;
    this.env = env;
    this.held = new HeldColumns(env);
    this.first = zeros([env.rows], "bool").set(1);
    this.actor = new Actor({
      policy: requireActingPolicy(policy, "play"),
      weights,
      view: policyInput(env, this.first),
      rows: env.rows,
      ...(greedy ? {} : { key: random.key(stream(seed, "policy")) }),
    });
  }

  /** Starts episodes in all rows. A promise if the environment is asynchronous, as with {@link step}. */
  reset(seed?: VectorResetOptions["seed"]): Promise<void> | undefined {
    this.env.reset({ seed });
    this.first.data.fill(1);
    this.actor.forget();
    return this.env.pending;
  }

  /** Chooses an action for every row, without taking it. */
  act(): ActionResult {
    return this.actor.act();
  }

  /** One step of every row. */
  step(): Promise<void> | undefined {
    this.action = this.act().action;
    this.env.step(this.action);
    if (this.env.pending) return this.noteLater(this.env.pending);
    this.note();
    return undefined;
  }

  /** The policy's recurrent state, without that of the environment. */
  save(): Snapshot {
    return { actor: this.actor.save(), first: save(this.first) };
  }

  restore(from: Snapshot): void {
    const s = from as { actor: Snapshot; first: Snapshot };
    this.actor.restore(s.actor);
    restore(this.first, s.first);
  }

  private async noteLater(answer: Promise<void>): Promise<void> {
    await answer;
    this.note();
  }

  private note(): void {
    this.held?.check();
    this.held = undefined;
    markBeginnings(this.env, this.first);
  }
}
