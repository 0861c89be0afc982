import { compile, type Tensor, type Tree, zeros } from "@reins/tensor";
import type { Batch } from "../batch.ts";
import type { VectorEnv } from "../env.ts";
import { type View, viewOf } from "../moment.ts";
import type { Acting } from "../policy.ts";
import type { Rollout } from "../rollout.ts";
import { restore, type Snapshot, save } from "../snapshot.ts";
import { Actor } from "./actor.ts";
import { gridOf, Writer } from "./grid.ts";
import { Meter } from "./meter.ts";

/** Columns that a {@link StepRollout} fills, each [time, rows, …]. */
export type GridColumns = {
  observation: Tree;
  action: Tree;
  reward: Tensor;
  terminated: Tensor;
  truncated: Tensor;
  first: Tensor;
  /** Value of the final observation, where an episode was truncated. */
  bootstrap: Tensor;
  logProb?: Tensor;
  value?: Tensor;
  mask?: Tree;
  trace?: Tree;
  alive?: Tensor;
  agent?: Tensor;
  global?: Tree;
};

/** A moment in which a policy is about to act. */
export type Upcoming = { readonly view: View; readonly state: Tree };

/** Where play in a traced environment stands between two steps. */
export type Standing = {
  readonly env: Tree;
  readonly observation: Tree;
  readonly first: Tensor;
  /** What the policy carries. */
  readonly state: Tree;
  /** Actions so far. */
  readonly counter: Tensor;
};

/** A grid of steps, with what comes before and after it. */
export interface GridBatch extends Batch {
  readonly columns: GridColumns;
  /** What the policy carried when the grid began, for policies with memory. */
  readonly start: Tree;
  /** What the policy would see next. */
  readonly upcoming: Upcoming;
}

/** Settings of {@link StepRollout}. */
export interface StepRolloutOptions {
  readonly env: VectorEnv;
  readonly policy: Acting;
  /** Updated in place by whoever learns. */
  readonly weights: Tree;
  /** Steps of every row in a batch. */
  readonly steps: number;
  readonly key: Tensor;
  readonly seed: number;
}

/**
 * Plays a policy in a vectorised environment and fills a grid of steps, over and over. Acting is one compiled call a step; nothing is
 * allocated. Episodes run on from one batch to the next.
 */
export class StepRollout implements Rollout<GridBatch> {
  readonly env: VectorEnv;
  readonly meter: Meter;
  readonly columns: GridColumns;
  /** What the policy carried when the grid began, for policies with memory. */
  readonly startState: Tree;
  /** What the policy would see next. */
  readonly view: View;
  /** The same with what the policy carries there. */
  readonly upcoming: Upcoming;
  /** Environment steps so far. */
  steps = 0;
  /** Whether the grid holds a batch; a checkpoint does not keep it. */
  filled = false;
  private readonly time: number;
  /** Whether the policy is called on the host. */
  private readonly host: boolean;
  /** The same each time, filled anew. */
  private readonly batch: GridBatch;
  private readonly actor: Actor;
  private readonly first: Tensor;
  private readonly before: Writer;
  private readonly made: Writer;
  private readonly after: Writer;
  private readonly keepState: Writer;
  private readonly finalValue: (() => Tensor) | undefined;

  constructor({ env, policy, weights, steps: time, key, seed }: StepRolloutOptions) {
    this.env = env;
    this.meter = new Meter(100, env.spec.goals);
    this.time = time;
    this.host = policy.host ?? false;
    env.reset({ seed });
    this.first = zeros([env.rows], "bool").set(1);
    this.view = viewOf(env, this.first);
    this.actor = new Actor({ policy, weights, view: this.view, rows: env.rows, key });
    this.upcoming = { view: this.view, state: this.actor.state };
    this.startState = policy.start?.(env.rows) ?? {};
    const started = this.actor.save();
    // One call shows which columns the policy makes; it leaves no trace.
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
      const { final, finalGlobal } = env;
      // What may be done in the last state of an episode is not known: `mask` is the next one's already.
      const {
        first: _,
        mask: __,
        ...last
      } = {
        ...this.view,
        observation: final,
        ...(finalGlobal ? { global: finalGlobal } : {}),
      };
      const bound = compile((w: Tree, v: View, s: Tree) => value.call(policy, w, v, s), {
        name: "bootstrap",
      }).bind(weights, last, this.actor.state);
      this.finalValue = () => {
        bound.run();
        return bound.result;
      };
    }
  }

  next(): GridBatch | Promise<GridBatch> {
    this.keepState.write(0);
    // Who keeps grids keeps nothing of earlier ones in them.
    this.columns.bootstrap.data.fill(0);
    if (this.env.pending) return this.goOn(-1);
    for (let t = 0; t < this.time; t++) {
      this.act(t);
      if (this.env.pending) return this.goOn(t);
      this.note(t);
    }
    return this.full();
  }

  /** The rest of the grid, where an answer is still on its way: to the step at `t`, or at -1 to what came before the grid. */
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

  /** Notes what the step at `t` led to. */
  private note(t: number): void {
    const { env } = this;
    this.after.write(t);
    const first = this.first.data;
    const terminated = env.terminated.data;
    const truncated = env.truncated.data;
    let cut = false;
    for (let i = 0; i < first.length; i++) {
      if (truncated[i] && !terminated[i]) cut = true;
      first[i] = terminated[i] | truncated[i];
    }
    this.meter.observe(env);
    if (cut) this.bootstrap(t);
  }

  private full(): GridBatch {
    this.steps += this.time * this.env.rows;
    this.filled = true;
    return this.batch;
  }

  /** Where play stands, as a function needs it that plays a whole grid in one call. */
  get standing(): Standing | undefined {
    const { env, first, actor, host } = this;
    if (!env.traced || host) return undefined;
    const { observation } = env;
    return { env: env.traced.carry, observation, first, state: actor.state, counter: actor.counter };
  }

  /** Notes a grid that such a function has written into the columns. */
  played(): GridBatch {
    for (let t = 0; t < this.time; t++) {
      this.env.traced?.took(t, this.columns);
      this.meter.observe(this.env);
    }
    return this.full();
  }

  /** Notes what the states were worth in which episodes were cut off at time `t`. */
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
