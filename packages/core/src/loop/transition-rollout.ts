import { compile, random, scalar, type Tensor, type Tree, zeros } from "@reins/tensor";
import type { Batch } from "../batch.ts";
import type { VectorEnv } from "../env.ts";
import { fail } from "../errors.ts";
import type { ActingPolicy } from "../policy.ts";
import { markBeginnings, policyInput } from "../recorded-step.ts";
import type { StepColumns } from "../replay/record.ts";
import { RowCopy } from "../replay/rows.ts";
import type { Rollout } from "../rollout.ts";
import { restore, type Snapshot, save } from "../snapshot.ts";
import { Actor } from "./actor.ts";
import { gridOf, Writer } from "./grid.ts";
import { HeldColumns } from "./held-columns.ts";
import { EpisodeMeter } from "./meter.ts";
import { randomAction } from "./random-action.ts";

/** Settings of {@link TransitionRollout}. */
export interface TransitionRolloutOptions {
  readonly env: VectorEnv;
  readonly policy: ActingPolicy;
  /** Updated in place by the learner. */
  readonly weights: Tree;
  /** Steps of every row per batch. */
  readonly steps: number;
  /** Environment steps with random actions at the beginning. */
  readonly randomSteps: number;
  readonly key: Tensor;
  readonly seed: number;
}

/**
 * Runs a policy with exploration and records transitions for a replay buffer. Acting is one compiled call per step;
 * nothing is allocated.
 */
export class TransitionRollout implements Rollout<Batch> {
  readonly env: VectorEnv;
  readonly meter: EpisodeMeter;
  readonly columns: StepColumns;
  /** Environment steps so far. */
  steps = 0;
  private readonly options: TransitionRolloutOptions;
  private readonly batch: Batch;
  private readonly first: Tensor;
  private readonly actor: Actor;
  private readonly actions: Tree;
  private readonly blind: { readonly action: Tree; run(): void };
  private readonly counter = scalar(0, "i32");
  private readonly before: Writer;
  private readonly after: Writer;
  private readonly made: Writer;
  private readonly madeRandom: Writer;
  private readonly held: HeldColumns;
  private readonly finals: RowCopy;
  private readonly nextMask: Tensor | undefined;
  private readonly finalMasks: RowCopy | undefined;

  constructor(options: TransitionRolloutOptions) {
    this.options = options;
    const { env, policy, weights, steps: time, key, seed } = options;
    if (env.spec.rewards)
      fail(
        env.spec.id,
        `its reward is a vector (${env.spec.rewards.join(", ")}). Combine it into one number with a wrapper first.`,
      );
    this.env = env;
    this.meter = new EpisodeMeter(100, env.spec.goals);
    env.reset({ seed });
    this.held = new HeldColumns(env);
    const { observation, mask, alive, rows } = env;
    this.first = zeros([rows], "bool").set(1);
    const view = policyInput(env, this.first);
    const [actKey, randomKey] = random.splitKey(key);
    this.actor = new Actor({ policy, weights, view, rows, key: actKey });
    const started = this.actor.save();
    // Each call overwrites the tensors of the first, and has no other effect.
    this.actions = this.actor.act().action;
    this.actor.restore(started);
    this.blind = this.bindRandom(randomKey);

    const seen: Record<string, Tree> = { observation };
    if (mask) seen.mask = mask;
    if (alive) seen.alive = alive;
    if (policy.memory) Object.assign(seen, { state: this.actor.state, first: this.first });
    const came: Record<string, Tree> = { next: observation, reward: env.reward };
    Object.assign(came, { terminated: env.terminated, truncated: env.truncated });
    if (mask) came.nextMask = mask;
    if (alive) came.nextAlive = alive;
    const grids = {
      seen: gridOf(seen, time),
      came: gridOf(came, time),
      action: gridOf(this.actions, time),
    };
    this.columns = { ...grids.seen, ...grids.came, action: grids.action } as StepColumns;
    this.batch = { columns: this.columns, index: { kind: "grid", time, rows } };
    this.before = new Writer(seen, grids.seen);
    this.after = new Writer(came, grids.came);
    this.made = new Writer(this.actions, grids.action);
    this.madeRandom = new Writer(this.blind.action, grids.action);
    // A row of the environment goes to a row of the flattened grid.
    this.finals = new RowCopy(env.final, this.columns.next);
    this.nextMask = this.columns.nextMask as Tensor | undefined;
    if (this.nextMask && env.finalMask) this.finalMasks = new RowCopy(env.finalMask, this.nextMask);
  }

  private bindRandom(key: Tensor) {
    const { spec, rows, mask } = this.env;
    const draw = (k: Tensor, c: Tensor, m: Tree) => randomAction(spec.action, rows, random.foldKey(k, c), m);
    const bound = compile(draw, { name: "random action", host: true }).bind(key, this.counter, mask as Tree);
    return { action: bound.result, run: bound.run };
  }

  next(): Batch | Promise<Batch> {
    if (this.env.pending) return this.goOn(-1);
    for (let t = 0; t < this.options.steps; t++) {
      this.act(t);
      if (this.env.pending) return this.goOn(t);
      this.note(t);
    }
    return this.full();
  }

  private full(): Batch {
    this.held.check();
    return this.batch;
  }

  /** The rest of the batch when a step is pending: the one at `t`, or with -1 the one before the batch. */
  private async goOn(t: number): Promise<Batch> {
    await this.env.pending;
    if (t >= 0) this.note(t);
    for (let at = t + 1; at < this.options.steps; at++) {
      this.act(at);
      await this.env.pending;
      this.note(at);
    }
    return this.full();
  }

  private act(t: number): void {
    const { randomSteps, policy } = this.options;
    const blind = this.steps < randomSteps;
    this.before.write(t);
    if (!blind || policy.memory) this.actor.act();
    if (blind) this.actBlindly();
    (blind ? this.madeRandom : this.made).write(t);
    this.env.step(blind ? this.blind.action : this.actions);
  }

  /** Records the results of the step at `t`. */
  private note(t: number): void {
    const { env } = this;
    const { rows } = env;
    this.after.write(t);
    markBeginnings(env, this.first);
    const terminated = env.terminated.data;
    const truncated = env.truncated.data;
    let ended = false;
    for (let row = 0; row < rows; row++) {
      if (!(terminated[row] | truncated[row])) continue;
      ended = true;
      this.finals.copy(row, t * rows + row);
      if (this.finalMasks) this.finalMasks.copy(row, t * rows + row);
      else if (this.nextMask) this.allowAll(t * rows + row);
    }
    if (ended) this.meter.observe(env);
    this.steps += rows;
  }

  private actBlindly(): void {
    this.blind.run();
    this.counter.data[0]++;
  }

  /** Allows all actions in the last state of an episode where they are unknown: `mask` already belongs to the next episode. */
  private allowAll(at: number): void {
    const { data, shape } = this.nextMask!;
    const width = shape[2];
    for (let i = 0; i < width; i++) data[at * width + i] = 1;
  }

  save(): Snapshot {
    const { env, actor, counter, first, meter, steps } = this;
    return {
      env: env.save(),
      actor: actor.save(),
      counter: save(counter),
      first: save(first),
      meter: meter.save(),
      steps,
    };
  }

  restore(from: Snapshot): void {
    const s = from as Record<string, Snapshot>;
    if (!s?.env)
      fail(
        "restore",
        "the checkpoint has no rollout: another version of Reins wrote it. Resume with that version, or start a new run.",
      );
    this.env.restore(s.env);
    this.actor.restore(s.actor);
    restore(this.counter, s.counter);
    restore(this.first, s.first);
    this.meter.restore(s.meter);
    this.steps = s.steps as number;
  }
}
