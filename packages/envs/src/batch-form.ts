import {
  box,
  type EnvContext,
  type EnvSpec,
  fail,
  type Parts,
  type Snapshot,
  type VectorEnv,
  type VectorResetOptions,
} from "@reins/core";
import { rowSeeds } from "@reins/core/forms";
import { defaultRng, type Generator } from "@reins/core/random";
import { restore, save } from "@reins/core/snapshots";
import { columns } from "@reins/core/spaces";
import { leaves, type Tensor, type Tree, tensor } from "@reins/tensor";
import { actionCheck } from "./actions.ts";
import { type Defaults, Parameters } from "./parameters.ts";
import { limited } from "./step-limit.ts";

/** Options of a batched environment. */
export interface BatchedOptions {
  /** Copies of the environment, one per row of every column. */
  readonly rows?: number;
  /** Maximum steps per episode before truncation, instead of the default; `Infinity`: none. */
  readonly maxSteps?: number;
}

/** Option of environments that also have a form in tensor operations. */
export interface TracedOption {
  /** In tensor operations, in f32 and with its own random numbers: rollouts and training are then one compiled call. */
  readonly traced?: boolean;
}

/** Returns the context of the next episode of a row; `undefined` for the default. */
export type ContextSource = (row: number, random: Generator) => EnvContext | undefined;

/**
 * A batched environment. A subclass keeps its state in arrays with one entry per row and implements three methods:
 * `begin` samples the initial state of a row, `observe` writes its observation, and `move` steps all rows in one
 * loop. This class provides the rest: the columns, one NumPy generator per row, the time limit, auto-reset in the
 * same step, episode statistics, contexts, action checks, save and restore. A step allocates nothing.
 */
export abstract class BatchedEnv<O extends Tree = Tensor> implements VectorEnv {
  readonly spec: EnvSpec;
  readonly rows: number;
  readonly observation: O;
  readonly final: O;
  readonly reward: Tensor;
  readonly terminated: Tensor;
  readonly truncated: Tensor;
  readonly ended: { readonly return: Float64Array; readonly length: Int32Array };
  /** Allowed actions, which a subclass with masks writes in `observe`, and those in the last state of an episode. */
  declare readonly mask?: Tensor;
  declare readonly finalMask?: Tensor;

  /** The subclass's columns, by name, which `save` stores. */
  protected abstract readonly state: Parts;
  /** One generator per row, as Gymnasium has one per environment. */
  protected readonly random: Generator[];
  /** Constants of the problem, which contexts may change. */
  readonly parameters: Parameters;

  /** Whether `move` supports rows with different parameters in one call. */
  protected readonly mixed: boolean = false;

  private limit = 0;
  /** Steps since the first reset. It and the two counters below wrap around, which their differences tolerate. */
  private tick = 0;
  /** The tick before an episode's first. */
  private readonly born: Int32Array;
  /** The tick that truncates an episode. */
  private readonly due: Int32Array;
  private readonly returns: Float64Array;
  private readonly check: (action: Tree) => void;
  private readonly widths: readonly number[];
  private readonly observations: readonly Tensor[];
  private readonly finals: readonly Tensor[];
  private context: EnvContext | undefined;
  private source: ContextSource | undefined;
  /** The rows that ended in the last step. */
  private readonly over: Int32Array;
  private overCount = 0;
  private begun = false;

  constructor(spec: EnvSpec, options: BatchedOptions = {}, parameters: Defaults = {}) {
    const { rows = 1, maxSteps = spec.maxSteps } = options;
    if (!Number.isInteger(rows) || rows < 1) fail(spec.id, `rows is ${rows}. Use a number of copies from 1.`);
    this.spec = maxSteps === spec.maxSteps ? spec : limited(spec, maxSteps);
    this.rows = rows;
    this.cut(maxSteps);
    this.observation = columns(spec.observation, rows) as O;
    this.final = columns(spec.observation, rows) as O;
    this.observations = leaves(this.observation);
    this.finals = leaves(this.final);
    this.widths = this.observations.map((t) => t.size / rows);
    this.reward = columns(box(spec.rewards ? [spec.rewards.length] : []), rows) as Tensor;
    this.terminated = tensor(new Uint8Array(rows), { dtype: "bool" });
    this.truncated = tensor(new Uint8Array(rows), { dtype: "bool" });
    this.ended = { return: new Float64Array(rows), length: new Int32Array(rows) };
    this.random = Array.from({ length: rows }, () => defaultRng());
    this.born = new Int32Array(rows);
    this.due = new Int32Array(rows);
    this.returns = new Float64Array(rows);
    this.over = new Int32Array(rows);
    this.parameters = new Parameters(spec.id, parameters, rows);
    this.check = actionCheck(spec, rows);
  }

  /** Samples the initial state of a row. */
  protected abstract begin(row: number): void;
  /** Writes the observation of a row. */
  protected abstract observe(row: number): void;
  /**
   * Steps the rows from `from` up to but excluding `to`, whose parameters are equal (unless `mixed`): writes
   * observations and rewards, and a 1 to `terminated` where an episode ended (it is 0 everywhere before). Actions
   * have been checked.
   */
  protected abstract move(action: Tree, from: number, to: number): void;
  /** A text rendering of the row's state, at most 80 × 20 characters. */
  abstract render(row: number): string;

  /** Begins an episode in every row, with seeds from `rowSeeds`. */
  reset({ seed, context }: VectorResetOptions = {}): void {
    const seeds = seed === undefined ? undefined : rowSeeds(seed, this.rows, this.spec.id);
    this.context = context;
    for (let row = 0; row < this.rows; row++) {
      if (seeds) this.random[row] = defaultRng(seeds[row]);
      this.enter(row);
    }
    this.forget();
    this.reward.data.fill(0);
    this.begun = true;
  }

  step(action: Tree): void {
    if (!this.begun) fail(this.spec.id, "step() was called before reset(). Call reset() first.");
    this.check(action);
    this.forget();
    this.tick = (this.tick + 1) | 0;
    if (this.mixed || !this.parameters.varied) this.move(action, 0, this.rows);
    else for (let row = 0; row < this.rows; row++) this.move(action, row, row + 1);
    this.finish();
  }

  /** Later episodes get their context from `source`, unless `reset` passes one. */
  contexts(source: ContextSource): void {
    this.source = source;
  }

  /** Later episodes are truncated after this many steps. */
  cut(maxSteps = Number.POSITIVE_INFINITY): void {
    if (!(maxSteps >= 1)) fail(this.spec.id, `maxSteps is ${maxSteps}. Use a number of steps from 1.`);
    // 0 is 2³² steps away, where ticks wrap around.
    this.limit = maxSteps < 2 ** 31 ? Math.ceil(maxSteps) : 0;
  }

  save(): Snapshot {
    return save({ ...this.parts(), context: this.context });
  }

  restore(from: Snapshot): void {
    const parts = this.parts();
    restore(parts, from);
    this.begun = parts.begun;
    this.overCount = parts.overCount;
    this.tick = parts.tick;
    this.context = ((from as { context: Snapshot }).context ?? undefined) as EnvContext | undefined;
  }

  /** Adds to returns, applies the time limit, and begins the next episode of finished rows. */
  private finish(): void {
    const { rows, returns, due, tick } = this;
    const reward = this.reward.data as Float32Array;
    const terminated = this.terminated.data as Uint8Array;
    const vector = this.spec.rewards !== undefined;
    if (vector) this.addVectors(reward);
    for (let row = 0; row < rows; row++) {
      if (!vector) returns[row] += reward[row];
      if (terminated[row] !== 0 || due[row] === tick) this.turnOver(row);
    }
  }

  /** The return of a vector of rewards is the sum of its components. */
  private addVectors(reward: Float32Array): void {
    const width = reward.length / this.rows;
    for (let i = 0; i < reward.length; i++) this.returns[Math.floor(i / width)] += reward[i];
  }

  /** Clears the finished episodes of the last step. Ends are rare: only those rows are visited. */
  private forget(): void {
    const terminated = this.terminated.data;
    const truncated = this.truncated.data;
    for (let i = 0; i < this.overCount; i++) {
      const row = this.over[i];
      this.ended.return[row] = this.ended.length[row] = terminated[row] = truncated[row] = 0;
    }
    this.overCount = 0;
  }

  private turnOver(row: number): void {
    this.over[this.overCount++] = row;
    this.ended.return[row] = this.returns[row];
    this.ended.length[row] = (this.tick - this.born[row]) | 0;
    // Both are true if the episode terminated at the time limit.
    if (this.due[row] === this.tick) this.truncated.data[row] = 1;
    this.keepFinal(row);
    this.enter(row);
  }

  /** Keeps the last observation of an episode. */
  private keepFinal(row: number): void {
    for (let leaf = 0; leaf < this.widths.length; leaf++) {
      const width = this.widths[leaf];
      const from = this.observations[leaf].data;
      const to = this.finals[leaf].data;
      for (let i = row * width; i < (row + 1) * width; i++) to[i] = from[i];
    }
    if (this.finalMask) this.keepMask(row);
  }

  /** Keeps the mask of an episode's last state. One that allows nothing allows everything: no distribution is empty. */
  private keepMask(row: number): void {
    if (!this.mask || !this.finalMask) return;
    const { data: from, shape } = this.mask;
    const { data: to } = this.finalMask;
    const [start, end] = [row * shape[1], (row + 1) * shape[1]];
    let any = 0;
    for (let i = start; i < end; i++) any |= to[i] = from[i];
    if (!any) to.fill(1, start, end);
  }

  private enter(row: number): void {
    this.born[row] = this.tick;
    this.due[row] = this.tick + this.limit;
    this.returns[row] = 0;
    this.parameters.adopt(row, this.context ?? this.source?.(row, this.random[row]));
    this.begin(row);
    this.observe(row);
  }

  private parts() {
    const { observation, final, reward, terminated, truncated, ended, returns, born, due, over } = this;
    const { begun, overCount, tick, random, parameters, state } = this;
    const columns = { observation, final, reward, terminated, truncated, ended, returns, born, due, over };
    return { ...columns, begun, overCount, tick, random, parameters, state };
  }
}
