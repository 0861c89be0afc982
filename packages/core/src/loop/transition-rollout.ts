import { compile, random, scalar, type Tensor, type Tree, treeMap, zeros } from "@reins/tensor";
import type { Batch } from "../batch.ts";
import type { VectorEnv } from "../env.ts";
import { fail } from "../errors.ts";
import type { Policy, View } from "../policy.ts";
import type { StepColumns } from "../replay/record.ts";
import { RowCopy } from "../replay/rows.ts";
import type { Rollout } from "../rollout.ts";
import { restore, type Snapshot, save } from "../snapshot.ts";
import { gridOf, Writer } from "./grid.ts";
import { Meter } from "./meter.ts";
import { randomAction } from "./random-action.ts";

/** Settings of {@link TransitionRollout}. */
export interface TransitionRolloutOptions {
  readonly env: VectorEnv;
  readonly policy: Policy;
  /** Updated in place by whoever learns. */
  readonly weights: Tree;
  /** Steps of every row in a batch. */
  readonly steps: number;
  /** Environment steps at the beginning in which actions are random. */
  readonly randomSteps: number;
  readonly key: Tensor;
  readonly seed: number;
}

/** Chooses actions: the tensors of `action` are overwritten at each call. */
type Acting = { readonly action: Tree; run(): void };

/**
 * Plays a policy with its exploration and notes what each step led to: what a replay is filled from. Acting is one compiled call a step;
 * nothing is allocated.
 */
export class TransitionRollout implements Rollout<Batch> {
  readonly env: VectorEnv;
  readonly meter = new Meter();
  readonly columns: StepColumns;
  /** Environment steps so far. */
  steps = 0;
  private readonly options: TransitionRolloutOptions;
  private readonly batch: Batch;
  private readonly view: View;
  private readonly state: Tree;
  private readonly first: Tensor;
  private readonly counter = scalar(0, "i32");
  private readonly learned: Acting;
  private readonly random: Acting;
  private readonly before: Writer;
  private readonly after: Writer;
  private readonly made: Writer;
  private readonly madeRandom: Writer;
  private readonly finals: RowCopy;
  private readonly nextMask: Tensor | undefined;

  constructor(options: TransitionRolloutOptions) {
    this.options = options;
    const { env, policy, weights, steps: time, key, seed } = options;
    if (env.spec.rewards)
      fail(
        env.spec.id,
        `its reward is a vector (${env.spec.rewards.join(", ")}). Weigh its parts into one number first.`,
      );
    this.env = env;
    env.reset({ seed });
    const { observation, mask, alive } = env;
    this.first = zeros([env.rows], "bool").set(1);
    this.view = { observation, ...(mask ? { mask } : {}), first: this.first };
    this.state = policy.start?.(env.rows) ?? {};
    this.learned = this.bind(policy, weights, key, false);
    this.random = options.randomSteps > 0 ? this.bind(policy, weights, key, true) : this.learned;

    const seen: Record<string, Tree> = { observation };
    if (mask) seen.mask = mask;
    if (alive) seen.alive = alive;
    if (policy.memory) Object.assign(seen, { state: this.state, first: this.first });
    const came: Record<string, Tree> = { next: observation, reward: env.reward };
    Object.assign(came, { terminated: env.terminated, truncated: env.truncated });
    if (mask) came.nextMask = mask;
    const grids = {
      seen: gridOf(seen, time),
      came: gridOf(came, time),
      action: gridOf(this.learned.action, time),
    };
    this.columns = { ...grids.seen, ...grids.came, action: grids.action } as unknown as StepColumns;
    this.batch = { columns: this.columns as never, index: { kind: "grid", time, rows: env.rows } };
    this.before = new Writer(seen, grids.seen);
    this.after = new Writer(came, grids.came);
    this.made = new Writer(this.learned.action, grids.action);
    this.madeRandom = new Writer(this.random.action, grids.action);
    // A row of the environment goes to a row of the flattened grid.
    this.finals = new RowCopy(env.final, this.columns.next);
    this.nextMask = this.columns.nextMask as Tensor | undefined;
  }

  private bind(policy: Policy, weights: Tree, key: Tensor, blind: boolean): Acting {
    const { view, state, counter, env } = this;
    const { action: space } = env.spec;
    if (policy.host && !blind) return onHost(policy, weights, view, state, key, counter);
    const moving = policy.start !== undefined && !policy.host;
    const act = compile(
      (w: Tree, v: View, s: Tree, k: Tensor, c: Tensor): Tree => {
        const fresh = random.foldKey(k, c);
        const acted = blind && !moving ? undefined : policy.act(w, v, s, fresh);
        const action = blind ? randomAction(space, env.rows, fresh, v.mask) : acted!.action;
        return { action, state: acted?.state ?? s };
      },
      { name: blind ? "random action" : "act", donate: [2] },
    );
    const bound = act.bind(weights, view as never, state, key, counter);
    return { action: (bound.result as { action: Tree }).action, run: bound.run };
  }

  next(): Batch {
    const { env, before, after, options } = this;
    const { steps: time, randomSteps } = options;
    const { rows } = env;
    const first = this.first.data;
    const counter = this.counter.data;
    for (let t = 0; t < time; t++) {
      const blind = this.steps < randomSteps;
      const acting = blind ? this.random : this.learned;
      before.write(t);
      acting.run();
      counter[0]++;
      (blind ? this.madeRandom : this.made).write(t);
      env.step(acting.action);
      after.write(t);
      const terminated = env.terminated.data;
      const truncated = env.truncated.data;
      let ended = false;
      for (let row = 0; row < rows; row++) {
        first[row] = terminated[row] | truncated[row];
        if (!first[row]) continue;
        ended = true;
        this.finals.copy(row, t * rows + row);
        if (this.nextMask) this.allowAll(t * rows + row);
      }
      if (ended) this.meter.observe(env);
      this.steps += rows;
    }
    return this.batch;
  }

  /** What may be done in the last state of an episode is not known: `mask` is the next one's already. */
  private allowAll(at: number): void {
    const { data, shape } = this.nextMask!;
    const width = shape[2];
    for (let i = 0; i < width; i++) data[at * width + i] = 1;
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

/** A policy that runs on the host: its results are copied into the tensors of the first. */
function onHost(
  policy: Policy,
  weights: Tree,
  view: View,
  state: Tree,
  key: Tensor,
  counter: Tensor,
): Acting {
  const act = () => policy.act(weights, view, state, random.foldKey(key, counter));
  const action = treeMap((t) => zeros(t.shape, t.dtype), act().action);
  const run = () => {
    const acted = act();
    restore(action, save(acted.action));
    restore(state, save(acted.state));
  };
  return { action, run };
}
