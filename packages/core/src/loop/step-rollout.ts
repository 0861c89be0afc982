import { compile, type Tensor, type Tree, zeros } from "@reins/tensor";
import type { Batch } from "../batch.ts";
import type { VectorEnv } from "../env.ts";
import type { ActingPolicy } from "../policy.ts";
import { markBeginnings, type PolicyInput, policyInput } from "../recorded-step.ts";
import type { Rollout } from "../rollout.ts";
import { restore, type Snapshot, save } from "../snapshot.ts";
import { Actor } from "./actor.ts";
import { gridOf, Writer } from "./grid.ts";
import { HeldColumns } from "./held-columns.ts";
import { EpisodeMeter } from "./meter.ts";

/** Columns that a {@link StepRollout} fills, each [time, rows, …]. */
export type GridColumns = {
  observation: Tree;
  action: Tree;
  reward: Tensor;
  terminated: Tensor;
  truncated: Tensor;
  first: Tensor;
  /** Value of the final observation of truncated episodes. */
  bootstrap: Tensor;
  logProb?: Tensor;
  value?: Tensor;
  mask?: Tree;
  trace?: Tree;
  alive?: Tensor;
  agent?: Tensor;
  global?: Tree;
};

/** The policy's input at the next step. */
export type Upcoming = { readonly view: PolicyInput; readonly state: Tree };

/** State of a rollout in a traced environment between two steps. */
export type RolloutState = {
  readonly env: Tree;
  readonly observation: Tree;
  readonly first: Tensor;
  /** The recurrent state of the policy. */
  readonly state: Tree;
  /** Actions so far. */
  readonly counter: Tensor;
};

/** A grid of steps, with what comes before and after it. */
export interface GridBatch extends Batch {
  readonly columns: GridColumns;
  /** Recurrent state at the start of the grid, for policies with memory. */
  readonly start: Tree;
  /** The policy's next input. */
  readonly upcoming: Upcoming;
}

/** Settings of {@link StepRollout}. */
export interface StepRolloutOptions {
  readonly env: VectorEnv;
  readonly policy: ActingPolicy;
  /** Updated in place by the learner. */
  readonly weights: Tree;
  /** Steps of every row per batch. */
  readonly steps: number;
  readonly key: Tensor;
  readonly seed: number;
}

/**
 * Runs a policy in a vectorised environment and fills a grid of steps, repeatedly. Acting is one compiled call per step; nothing is
 * allocated. Episodes continue from one batch to the next.
 */
export class StepRollout implements Rollout<GridBatch> {
  readonly env: VectorEnv;
  readonly meter: EpisodeMeter;
  readonly columns: GridColumns;
  /** Recurrent state at the start of the grid, for policies with memory. */
  readonly startState: Tree;
  /** The policy's next view. */
  readonly view: PolicyInput;
  /** The policy's next view with its recurrent state. */
  readonly upcoming: Upcoming;
  /** Environment steps so far. */
  steps = 0;
  /** Whether the grid holds a batch; checkpoints do not include it. */
  filled = false;
  private readonly time: number;
  /** Whether the policy runs on the host. */
  private readonly host: boolean;
  /** Reused and refilled each time. */
  private readonly batch: GridBatch;
  private readonly actor: Actor;
  private readonly first: Tensor;
  private readonly before: Writer;
  private readonly made: Writer;
  private readonly after: Writer;
  private readonly keepState: Writer;
  private readonly finalValue: (() => Tensor) | undefined;
  private readonly held: HeldColumns;

  constructor({ env, policy, weights, steps: time, key, seed }: StepRolloutOptions) {
    this.env = env;
    this.meter = new EpisodeMeter(100, env.spec.goals);
    this.time = time;
    this.host = policy.host ?? false;
    env.reset({ seed });
    this.held = new HeldColumns(env);
    this.first = zeros([env.rows], "bool").set(1);
    this.view = policyInput(env, this.first);
    this.actor = new Actor({ policy, weights, view: this.view, rows: env.rows, key });
    this.upcoming = { view: this.view, state: this.actor.state };
    this.startState = policy.start?.(env.rows) ?? {};
    const started = this.actor.save();
    // One call shows which columns the policy produces; it has no other effect.
    const { state: _, ...acted } = this.actor.act();
    this.actor.restore(started);
    const seen = { ...this.view, first: this.first, ...(env.alive ? { alive: env.alive } : {}) };
    const result = { reward: env.reward, terminated: env.terminated, truncated: env.truncated };
    const grids = { acted: gridOf(acted, time), seen: gridOf(seen, time), result: gridOf(result, time) };
    const bootstrap = zeros(grids.acted.value?.shape ?? [time, env.rows]);
    this.columns = { ...grids.acted, ...grids.seen, ...grids.result, bootstrap };
    this.batch = {
      columns: this.columns,
      index: { kind: "grid", time, rows: env.rows },
      start: this.startState,
      upcoming: this.upcoming,
    };
    this.before = new Writer(seen, grids.seen);
    this.made = new Writer(acted, grids.acted);
    this.after = new Writer(result, grids.result);
    this.keepState = new Writer(this.actor.state, this.startState);
    const { value } = policy;
    if (value) {
      const { final, finalGlobal, finalMask } = env;
      // `mask` already belongs to the next episode.
      const { first: _, mask: __, ...rest } = this.view;
      const last = {
        ...rest,
        observation: final,
        ...(finalMask ? { mask: finalMask } : {}),
        ...(finalGlobal ? { global: finalGlobal } : {}),
      };
      const bound = compile((w: Tree, v: PolicyInput, s: Tree) => value.call(policy, w, v, s), {
        name: "bootstrap",
        host: true,
      }).bind(weights, last, this.actor.state);
      this.finalValue = () => {
        bound.run();
        return bound.result;
      };
    }
  }

  next(): GridBatch | Promise<GridBatch> {
    this.keepState.write(0);
    // Kept grids must not contain values of earlier ones.
    this.columns.bootstrap.data.fill(0);
    if (this.env.pending) return this.goOn(-1);
    for (let t = 0; t < this.time; t++) {
      this.act(t);
      if (this.env.pending) return this.goOn(t);
      this.note(t);
    }
    return this.full();
  }

  /** The rest of the grid when a step is pending: the one at `t`, or with -1 the one before the grid. */
  private async goOn(t: number): Promise<GridBatch> {
    await this.env.pending;
    if (t >= 0) this.note(t);
    for (let at = t + 1; at < this.time; at++) {
      this.act(at);
      await this.env.pending;
      this.note(at);
    }
    return this.full();
  }

  private act(t: number): void {
    this.before.write(t);
    const { action } = this.actor.act();
    this.made.write(t);
    this.env.step(action);
  }

  /** Records the results of the step at `t`. */
  private note(t: number): void {
    const { env } = this;
    this.after.write(t);
    markBeginnings(env, this.first);
    const terminated = env.terminated.data;
    const truncated = env.truncated.data;
    let cut = false;
    for (let i = 0; i < truncated.length; i++) if (truncated[i] && !terminated[i]) cut = true;
    this.meter.observe(env);
    if (cut) this.bootstrap(t);
  }

  private full(): GridBatch {
    this.held.check();
    this.steps += this.time * this.env.rows;
    this.filled = true;
    return this.batch;
  }

  /** The rollout's state, for a function that plays a whole grid in one call. */
  get standing(): RolloutState | undefined {
    const { env, first, actor, host } = this;
    if (!env.traced || host) return undefined;
    const { observation } = env;
    return { env: env.traced.carry, observation, first, state: actor.state, counter: actor.counter };
  }

  /** What `played` reads of such a grid. */
  get observed(): Tree {
    const { reward, terminated, truncated } = this.columns;
    return { reward, terminated, truncated };
  }

  /** Records a grid that such a function has written into the columns. */
  played(): GridBatch {
    for (let t = 0; t < this.time; t++) {
      this.env.traced?.took(t, this.columns);
      this.meter.observe(this.env);
    }
    return this.full();
  }

  /** Records the values of the states in which episodes were truncated at time `t`. */
  private bootstrap(t: number): void {
    if (!this.finalValue) return;
    const value = this.finalValue().data;
    const target = this.columns.bootstrap.data;
    for (let i = 0; i < value.length; i++) target[t * value.length + i] = value[i];
  }

  save(): Snapshot {
    const { env, actor, first, meter, steps } = this;
    return { env: env.save(), actor: actor.save(), first: save(first), meter: meter.save(), steps };
  }

  restore(from: Snapshot): void {
    const s = from as { [name: string]: Snapshot };
    this.env.restore(s.env);
    this.actor.restore(s.actor);
    restore(this.first, s.first);
    this.meter.restore(s.meter);
    this.steps = s.steps as number;
  }
}
