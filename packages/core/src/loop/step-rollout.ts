import { compile, random, scalar, type Tensor, type Tree, zeros } from "@reins/tensor";
import type { Batch } from "../batch.ts";
import type { VectorEnv } from "../env.ts";
import { fail } from "../errors.ts";
import type { Act, Policy, View } from "../policy.ts";
import type { Rollout } from "../rollout.ts";
import { restore, type Snapshot, save } from "../snapshot.ts";
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
};

/** Settings of {@link StepRollout}. */
export interface StepRolloutOptions {
  readonly env: VectorEnv;
  readonly policy: Policy;
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
export class StepRollout implements Rollout<Batch & { columns: GridColumns }> {
  readonly env: VectorEnv;
  readonly meter = new Meter();
  readonly columns: GridColumns;
  /** What the policy carried when the grid began, for policies with memory. */
  readonly startState: Tree;
  /** What the policy would see next. */
  readonly view: View;
  /** Environment steps so far. */
  steps = 0;
  private readonly options: StepRolloutOptions;
  private readonly state: Tree;
  private readonly counter = scalar(0, "i32");
  private readonly act: () => Act;
  private readonly first: Tensor;
  private readonly before: Writer;
  private readonly after: Writer;
  private readonly made: Writer;
  private readonly keepState: Writer;
  private readonly bootstrapValue: (() => Tensor) | undefined;

  constructor(options: StepRolloutOptions) {
    this.options = options;
    const { env, policy, weights, steps: time, key, seed } = options;
    this.env = env;
    env.reset({ seed });
    this.first = zeros([env.rows], "bool").set(1);
    this.view = { observation: env.observation, ...(env.mask ? { mask: env.mask } : {}), first: this.first };
    this.state = policy.start?.(env.rows) ?? {};
    this.startState = policy.start?.(env.rows) ?? {};
    this.act = this.bindAct(policy, weights, key);
    const sample = this.act();
    restore(this.state, save(policy.start?.(env.rows) ?? {}));
    const acted: Record<string, Tree> = { action: sample.action };
    if (sample.logProb) acted.logProb = sample.logProb;
    if (sample.value) acted.value = sample.value;
    if (sample.trace) acted.trace = sample.trace;
    const seen: Record<string, Tree> = { observation: env.observation, first: this.first };
    if (env.mask) seen.mask = env.mask;
    if (env.alive) seen.alive = env.alive;
    const result = { reward: env.reward, terminated: env.terminated, truncated: env.truncated };
    const grids = { acted: gridOf(acted, time), seen: gridOf(seen, time), result: gridOf(result, time) };
    this.columns = {
      ...grids.acted,
      ...grids.seen,
      ...grids.result,
      bootstrap: zeros([time, env.rows]),
    } as unknown as GridColumns;
    this.before = new Writer(seen, grids.seen);
    this.made = new Writer(acted, grids.acted);
    this.after = new Writer(result, grids.result);
    this.keepState = new Writer(this.state, this.startState);
    if (policy.value) {
      const value = compile((w: Tree, view: View) => policy.value!(w, view), { name: "bootstrap" });
      const bound = value.bind(weights, { observation: env.final, ...(env.mask ? { mask: env.mask } : {}) });
      this.bootstrapValue = () => {
        bound.run();
        return bound.result;
      };
    }
  }

  private bindAct(policy: Policy, weights: Tree, key: Tensor): () => Act {
    const { view, state, counter } = this;
    if (policy.host) {
      let last: Act | undefined;
      return () => {
        const acted = policy.act(weights, view, state, random.foldKey(key, counter));
        restore(state, save(acted.state));
        // Writers hold on to the first result's tensors: later ones are copied into them.
        if (last) restore(last, save(acted));
        else last = acted;
        return last;
      };
    }
    const bound = compile(
      (w: Tree, v: View, s: Tree, k: Tensor, c: Tensor) => policy.act(w, v, s, random.foldKey(k, c)),
      { name: "act", donate: [2] },
    ).bind(weights, view, state, key, counter);
    return () => {
      bound.run();
      return bound.result;
    };
  }

  next(): Batch & { columns: GridColumns } {
    const { env, before, after, made, columns } = this;
    const { steps: time } = this.options;
    this.keepState.write(0);
    const first = this.first.data;
    const counter = this.counter.data;
    for (let t = 0; t < time; t++) {
      before.write(t);
      const acted = this.act();
      counter[0]++;
      made.write(t);
      env.step(acted.action);
      after.write(t);
      const terminated = env.terminated.data;
      const truncated = env.truncated.data;
      let cut = false;
      for (let i = 0; i < first.length; i++) {
        if (truncated[i] && !terminated[i]) cut = true;
        first[i] = terminated[i] | truncated[i];
      }
      this.meter.observe(env);
      if (cut && this.bootstrapValue) {
        const value = this.bootstrapValue().data;
        const target = columns.bootstrap.data;
        for (let i = 0; i < first.length; i++) target[t * first.length + i] = value[i];
      }
    }
    this.steps += time * env.rows;
    return { columns, index: { kind: "grid", time, rows: env.rows } };
  }

  save(): Snapshot {
    const { env, state, counter, first, meter, steps } = this;
    return {
      env: env.save(),
      state: save(state),
      counter: save(counter),
      first: save(first),
      meter: meter.save(),
      steps,
    };
  }

  restore(from: Snapshot): void {
    const s = from as Record<string, Snapshot>;
    if (!s?.env) fail("restore", "the checkpoint has no rollout. It is of another version.");
    this.env.restore(s.env);
    restore(this.state, s.state);
    restore(this.counter, s.counter);
    restore(this.first, s.first);
    this.meter.restore(s.meter);
    this.steps = s.steps as number;
  }
}
