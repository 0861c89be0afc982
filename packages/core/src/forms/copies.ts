import type { Tensor, Tree } from "@reins/tensor";
import type { Rendering } from "../drawing.ts";
import type { EnvContext, EnvSpec, ResetOptions, VectorEnv, VectorResetOptions } from "../env.ts";
import { describeValue, fail } from "../errors.ts";
import { type Parts, restore, type Snapshot, save } from "../snapshot.ts";
import type { Value } from "../space.ts";
import { check, unbounded } from "../spaces/check.ts";
import { columns } from "../spaces/layout.ts";
import { read } from "../spaces/write.ts";
import { allOf } from "./async-answers.ts";
import { type Copy, requireSaves } from "./contract.ts";
import { requireTree } from "./copy.ts";
import { rowSeeds } from "./row-seeds.ts";
import { Rows } from "./rows.ts";

/** A VectorEnv over copies with one or several rows each. */
export abstract class Copies<E extends Copy> implements VectorEnv {
  readonly spec: EnvSpec;
  readonly rows: number;
  readonly savable: boolean;
  readonly observation: Tree;
  readonly final: Tree;
  readonly reward: Tensor;
  readonly terminated: Tensor;
  readonly truncated: Tensor;
  readonly mask?: Tensor;
  readonly finalMask?: Tensor;
  readonly ended: VectorEnv["ended"];
  readonly render?: (row: number) => string;
  readonly picture?: (row: number) => Rendering;
  protected readonly envs: readonly E[];
  protected readonly table: Rows;
  protected readonly maxSteps: number;
  /** Reset options of episodes that start automatically. */
  protected again: ResetOptions | undefined;
  pending: Promise<void> | undefined;
  private readonly actionLike: Tree;
  private started = false;
  private waiting = false;

  constructor(envs: readonly E[], rowsEach: number) {
    const { spec } = envs[0];
    this.envs = envs;
    this.spec = spec;
    this.rows = envs.length * rowsEach;
    this.savable = envs[0].save !== undefined && envs[0].restore !== undefined;
    this.table = new Rows(spec, this.rows, envs[0].mask !== undefined);
    this.observation = this.table.observation;
    this.final = this.table.final;
    this.reward = this.table.reward;
    this.terminated = this.table.terminated;
    this.truncated = this.table.truncated;
    this.ended = this.table.ended;
    if (this.table.mask) this.mask = this.table.mask;
    if (this.table.finalMask) this.finalMask = this.table.finalMask;
    if (envs[0].render) this.render = (row) => envs[Math.floor(row / rowsEach)].render!();
    if (envs[0].picture) this.picture = (row) => envs[Math.floor(row / rowsEach)].picture!();
    this.actionLike = columns(spec.action, this.rows);
    this.maxSteps = spec.maxSteps ?? Number.POSITIVE_INFINITY;
    if (!(typeof this.maxSteps === "number" && this.maxSteps >= 1))
      fail(
        spec.id,
        `spec.maxSteps is ${describeValue(spec.maxSteps)}; it must be a number of steps from 1. Leave it out for no limit.`,
      );
  }

  /** Starts an episode of a copy. A promise if it is asynchronous. */
  protected abstract begin(copy: number, options: ResetOptions | undefined): void | Promise<void>;
  /** Steps a copy, and starts a new episode if it ended. */
  protected abstract advance(copy: number, action: Tree): void | Promise<void>;
  /** State besides the columns that every VectorEnv has. */
  protected own(): Parts {
    return {};
  }

  reset({ seed, context }: VectorResetOptions = {}): void {
    const seeds = seed === undefined ? undefined : rowSeeds(seed, this.envs.length, this.spec.id);
    this.again = context && { context };
    this.requireAnswers("reset");
    const later: Promise<void>[] = [];
    for (let copy = 0; copy < this.envs.length; copy++) {
      const begun = this.begin(copy, seeds ? { ...this.again, seed: seeds[copy] } : this.again);
      if (begun) later.push(begun);
    }
    this.await(later);
    this.table.clear();
    for (const column of [this.reward, this.terminated, this.truncated]) column.data.fill(0);
    this.started = true;
  }

  step(action: Tree): void {
    if (!this.started) fail(this.spec.id, "step() was called before reset(). Call reset({ seed }) first.");
    requireTree(this.spec.id, this.actionLike, action, "action");
    if (this.waiting) this.requireAnswers("step");
    this.table.clear();
    let later: Promise<void>[] | undefined;
    for (let copy = 0; copy < this.envs.length; copy++) {
      const advanced = this.advance(copy, action);
      if (advanced) (later ??= []).push(advanced);
    }
    if (later || this.pending) this.await(later ?? []);
  }

  /** Stores the pending answers. */
  private await(answers: readonly Promise<void>[]): void {
    this.pending = undefined;
    if (!answers.length) return;
    this.waiting = true;
    this.pending = allOf(answers);
    this.pending.then(
      () => {
        this.waiting = false;
      },
      () => {},
    );
  }

  private requireAnswers(call: string): void {
    if (this.waiting)
      fail(this.spec.id, `${call}() was called before all copies had answered. Await \`pending\` first.`);
  }

  /** The action of a row: a new value each time, as environments may keep it. */
  protected actionOf(row: number, action: Tree): Value {
    const value = read(this.spec.action, action, row);
    const fault = check(this.spec.action, value, "action", unbounded);
    if (fault) this.table.fault(row, fault);
    return value;
  }

  save(): Snapshot {
    requireSaves(this.envs);
    return {
      table: save(this.table.parts),
      own: save(this.own()),
      envs: save(this.envs),
      context: save(this.again?.context),
      started: this.started,
    };
  }

  restore(from: Snapshot): void {
    requireSaves(this.envs);
    const saved = from as { readonly [part: string]: Snapshot };
    restore(this.table.parts, saved.table, this.spec.id);
    restore(this.own(), saved.own, this.spec.id);
    restore([...this.envs], saved.envs, `${this.spec.id} copies`);
    this.again = saved.context ? { context: saved.context as EnvContext } : undefined;
    this.started = saved.started === true;
  }

  close(): void {
    for (const env of this.envs) env.close?.();
  }
}
