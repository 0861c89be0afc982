import {
  type Bound,
  compile,
  leaves,
  random,
  stack,
  type Tensor,
  type Tree,
  tensor,
  treeMap,
} from "@reins/tensor";
import type { EnvSpec, TracedColumns, TracedEnv, TracedRows, VectorEnv, VectorResetOptions } from "../env.ts";
import { fail } from "../errors.ts";
import { restore, type Snapshot, save } from "../snapshot.ts";
import { columns, zeroColumn } from "../spaces/layout.ts";
import { defaultSeed, stream } from "../stream.ts";
import { copyTree, requireTree } from "./copy.ts";
import { rowSeeds } from "./row-seeds.ts";
import { type LoopCarry, tracedStep } from "./traced-step.ts";

/** Settings of {@link fromTraced}. */
export interface TracedOptions {
  /** Initial seed, until `reset` sets one. */
  readonly seed?: number;
  /** Stops at the first NaN, and names the source line; slow. */
  readonly check?: boolean;
}

/**
 * A VectorEnv of `rows` copies of a traced environment. A step of all rows, including resets, is one compiled call.
 * `params` are read at every step, so the weights of a world model may be trained meanwhile. Without `rowKeys`, all rows share one key
 * and differ by their position, so row i also depends on the number of rows and on every seed of a list.
 */
export function fromTraced<P extends Tree, S extends Tree>(
  env: TracedEnv<P, S>,
  params: P,
  rows: number,
  options: TracedOptions = {},
): VectorEnv {
  const { id, agents } = env.spec;
  if (!Number.isInteger(rows) || rows < 1)
    fail(id, `the number of rows is ${rows}; it must be a whole number from 1.`);
  if (agents) fail(id, "a traced environment has one agent per row. Write a MultiEnv for several agents.");
  return new Traced(env as TracedEnv, params, rows, options);
}

class Traced implements VectorEnv {
  readonly spec: EnvSpec;
  readonly rows: number;
  readonly observation: Tree;
  readonly final: Tree;
  readonly reward: Tensor;
  readonly terminated: Tensor;
  readonly truncated: Tensor;
  readonly ended: VectorEnv["ended"];
  readonly traced: TracedRows | undefined;
  readonly picture: VectorEnv["picture"];
  readonly render: VectorEnv["render"];
  private readonly rowKeys: boolean;
  private readonly running: VectorEnv["ended"];
  private readonly carry: LoopCarry<Tree>;
  private readonly action: Tree;
  private readonly begin = zeroColumn("bool", []);
  private readonly bound: Bound<{ carry: LoopCarry<Tree> } & TracedColumns>;
  private readonly progress = { started: false };

  constructor(env: TracedEnv, params: Tree, rows: number, { seed = defaultSeed, check }: TracedOptions) {
    this.spec = env.spec;
    this.rows = rows;
    this.rowKeys = env.rowKeys ?? false;
    this.action = columns(env.spec.action, rows);
    const key = this.keyOf(seed);
    this.carry = {
      state: ownCopy(env.reset(params, rows, key), env.spec.id, rows),
      steps: zeroColumn("i32", [rows]),
      key,
    };
    const name = `${env.spec.id} step`;
    const step = tracedStep(env, rows);
    this.bound = compile(step, { name, donate: [0], check, host: true }).bind(
      this.carry,
      params,
      this.action,
      this.begin,
    );
    const { observation, final, reward, terminated, truncated } = this.bound.result;
    this.observation = observation;
    this.final = final;
    this.reward = reward;
    this.terminated = terminated;
    this.truncated = truncated;
    this.ended = { return: new Float64Array(rows), length: new Int32Array(rows) };
    this.running = { return: new Float64Array(rows), length: new Int32Array(rows) };
    const { picture, render } = env;
    if (picture) this.picture = (row) => picture.call(env, params, this.carry.state, row);
    if (render) this.render = (row) => render.call(env, params, this.carry.state, row);
    const never = zeroColumn("bool", []);
    // Checked steps are taken one at a time.
    this.traced = check
      ? undefined
      : {
          carry: this.carry,
          params,
          step: (carry, given, action) => step(carry as LoopCarry<Tree>, given, action, never),
          took: (t, grid) => this.took(t, grid),
        };
  }

  reset({ seed, context }: VectorResetOptions = {}): void {
    if (context) fail(this.spec.id, "a traced environment has no contexts. Pass the problem in its params.");
    if (seed !== undefined) copyTree(this.carry.key, this.keyOf(seed));
    this.begin.set(1);
    this.bound.run();
    this.begin.set(0);
    for (const { return: total, length } of [this.ended, this.running]) {
      total.fill(0);
      length.fill(0);
    }
    this.progress.started = true;
  }

  /** The key of each row, or one for all rows. */
  private keyOf(seed: number | readonly number[]): Tensor {
    const seeds = rowSeeds(seed, this.rows, this.spec.id);
    if (this.rowKeys) return stack(seeds.map(random.key));
    return random.key(
      typeof seed === "number" ? seed : seeds.reduce((all, one) => stream(all, "row", one), 0),
    );
  }

  step(action: Tree): void {
    if (!this.progress.started)
      fail(this.spec.id, "step() was called before reset(). Call reset({ seed }) first.");
    requireTree(this.spec.id, this.action, action, "action");
    copyTree(this.action, action);
    this.bound.run();
    this.count();
  }

  private took(t: number, grid: Pick<TracedColumns, "reward" | "terminated" | "truncated">): void {
    for (const name of ["reward", "terminated", "truncated"] as const) {
      const to = this[name].data;
      to.set(grid[name].data.subarray(t * to.length, (t + 1) * to.length));
    }
    this.count();
  }

  /** Returns and lengths, kept in f64 on the host: long sums of f32 drift. */
  private count(): void {
    const { ended, running, rows } = this;
    const reward = this.reward.data;
    const terminated = this.terminated.data;
    const truncated = this.truncated.data;
    const components = reward.length / rows;
    // Plain arrays, whose elements the loop reaches without properties: there may be millions of steps a second.
    const [returns, lengths] = [running.return, running.length];
    ended.return.fill(0);
    ended.length.fill(0);
    for (let row = 0, i = 0; row < rows; row++) {
      let sum = returns[row];
      for (const end = i + components; i < end; i++) sum += reward[i];
      if (Number.isNaN(sum))
        fail(
          `${this.spec.id}, row ${row}`,
          "the reward is NaN. fromTraced(…, { check: true }) names the source line.",
        );
      lengths[row]++;
      if (terminated[row] || truncated[row]) {
        ended.return[row] = sum;
        ended.length[row] = lengths[row];
        sum = lengths[row] = 0;
      }
      returns[row] = sum;
    }
  }

  private get parts() {
    const { carry, observation, final, reward, terminated, truncated, ended, running, progress } = this;
    return { carry, observation, final, reward, terminated, truncated, ended, running, progress };
  }

  save(): Snapshot {
    return save(this.parts);
  }

  restore(from: Snapshot): void {
    restore(this.parts, from, this.spec.id);
  }

  close(): void {
    this.bound.dispose();
  }
}

/** The state in separate tensors: a donated argument must not share memory with params or with another part. */
function ownCopy(state: Tree, id: string, rows: number): Tree {
  for (const t of leaves(state))
    if (t.shape[0] !== rows)
      fail(
        id,
        `reset() returned a state of shape [${t.shape.join(", ")}]; its first axis must be the ${rows} rows.`,
      );
  return treeMap((t) => tensor(t.data.slice(), { shape: t.shape, dtype: t.dtype }), state);
}
