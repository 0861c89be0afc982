import { type Env, type EnvSpec, fail, type Snapshot, type Value, type VectorEnv } from "@reins/core";
import type { Generator } from "@reins/core/random";
import { columns, readValue, sampleValue, writeValue } from "@reins/core/spaces";
import type { Tensor, Tree } from "@reins/tensor";
import { copyValue } from "./values.ts";

/** A copy of a row's step. */
export interface Frame {
  /** The observation after the action; the final one where the episode ended. */
  readonly observation: Value;
  /** The initial observation of the next episode, where one began. */
  readonly next?: Value;
  readonly reward: unknown;
  readonly terminated: unknown;
  readonly truncated: unknown;
  readonly over: boolean;
}

/** A common interface to single and vector environments: rows with auto-reset. */
export interface Subject {
  readonly env: Env | VectorEnv;
  readonly spec: EnvSpec;
  readonly rows: number;
  /** The initial observation of each row. A list has the seed of each. */
  reset(seed?: number | readonly number[]): Value[];
  step(actions: readonly Value[]): Frame[];
  /** Allowed actions of a row. */
  mask(row: number): ArrayLike<number | boolean> | undefined;
  save?(): Snapshot;
  restore?(from: Snapshot): void;
}

/** Whether an environment has columns. */
export function isVector(env: Env | VectorEnv): env is VectorEnv {
  return "rows" in env;
}

/** The common interface of an environment. */
export function subjectOf(env: Env | VectorEnv): Subject {
  return isVector(env) ? new Vector(env) : new Single(env);
}

/** Random actions for all rows. */
export function randomActions(subject: Subject, random: Generator): Value[] {
  return Array.from({ length: subject.rows }, (_, row) =>
    sampleValue(subject.spec.action, random, subject.mask(row)),
  );
}

class Single implements Subject {
  readonly env: Env;
  readonly spec: EnvSpec;
  readonly rows = 1;
  readonly save?: () => Snapshot;
  readonly restore?: (from: Snapshot) => void;

  constructor(env: Env) {
    this.env = env;
    this.spec = env.spec;
    if (!env.save || !env.restore) return;
    this.save = () => env.save!();
    this.restore = (from) => env.restore!(from);
  }

  reset(seed?: number): Value[] {
    const begun = this.env.reset(seed === undefined ? {} : { seed });
    if (begun instanceof Promise)
      fail(
        this.spec.id,
        "its methods are asynchronous, which the checker does not support. Check a synchronous form.",
      );
    this.requireRecord("reset", begun, "{ observation }");
    return [copyValue(begun.observation)];
  }

  step(actions: readonly Value[]): Frame[] {
    const result = this.env.step(actions[0]);
    this.requireRecord("step", result, "{ observation, reward, terminated, truncated }");
    const { observation, reward, terminated, truncated } = result;
    const frame = { observation: copyValue(observation), reward: copyValue(reward), terminated, truncated };
    const over = Boolean(terminated) || Boolean(truncated);
    return [over ? { ...frame, over, next: this.reset()[0] } : { ...frame, over }];
  }

  mask(): ArrayLike<number | boolean> | undefined {
    return this.env.mask?.();
  }

  /** Throws unless a method returned a record: Gymnasium's methods return tuples. */
  private requireRecord(call: string, result: unknown, parts: string): void {
    if (typeof result !== "object" || result === null || Array.isArray(result))
      fail(
        this.spec.id,
        `${call}() returned ${Array.isArray(result) ? `an array of ${result.length}` : String(result)}; it must be ${parts}.`,
      );
  }
}

class Vector implements Subject {
  readonly env: VectorEnv;
  readonly spec: EnvSpec;
  readonly rows: number;
  readonly save?: () => Snapshot;
  readonly restore?: (from: Snapshot) => void;
  private readonly actions: Tree;

  constructor(env: VectorEnv) {
    this.env = env;
    this.spec = env.spec;
    this.rows = env.rows;
    this.actions = columns(env.spec.action, env.rows);
    if (env.savable === false) return;
    this.save = () => env.save();
    this.restore = (from) => env.restore(from);
  }

  reset(seed?: number | readonly number[]): Value[] {
    this.env.reset(seed === undefined ? {} : { seed });
    return Array.from({ length: this.rows }, (_, row) => this.read(this.env.observation, row));
  }

  step(actions: readonly Value[]): Frame[] {
    const { env } = this;
    for (let row = 0; row < this.rows; row++) writeValue(this.spec.action, this.actions, row, actions[row]);
    env.step(this.actions);
    const width = env.reward.size / this.rows;
    return Array.from({ length: this.rows }, (_, row) => {
      const terminated = env.terminated.data[row];
      const truncated = env.truncated.data[row];
      const over = terminated !== 0 || truncated !== 0;
      const seen = this.read(env.observation, row);
      const rewards = [...env.reward.data.slice(row * width, (row + 1) * width)];
      const reward = this.spec.rewards ? rewards : rewards[0];
      const frame = { reward, terminated, truncated, over };
      return over
        ? { ...frame, observation: this.read(env.final, row), next: seen }
        : { ...frame, observation: seen };
    });
  }

  mask(row: number): ArrayLike<number | boolean> | undefined {
    const mask = this.env.mask as Tensor | undefined;
    if (!mask) return undefined;
    const width = mask.size / this.rows;
    return mask.data.slice(row * width, (row + 1) * width);
  }

  private read(tree: Tree, row: number): Value {
    return copyValue(readValue(this.spec.observation, tree, row));
  }
}
