import type { Tensor, Tree } from "@reins/tensor";
import type { Env, EnvContext, EnvSpec, ResetOptions, Step, VectorEnv } from "../env.ts";
import { fail } from "../errors.ts";
import { restore, type Snapshot, save } from "../snapshot.ts";
import type { Value } from "../space.ts";
import { check, unbounded } from "../spaces/check.ts";
import { columns } from "../spaces/layout.ts";
import { read } from "../spaces/write.ts";
import { copiesOf, requireFlag, requireResult, requireSaves, threw } from "./contract.ts";
import { requireTree } from "./copy.ts";
import { Rows } from "./rows.ts";

/**
 * Many copies of an environment as a VectorEnv: `make(i)` gives the copy of row i. Episodes that end begin anew in the same step, with
 * the context of the last `reset`; `spec.maxSteps` truncates where the environment does not do so itself.
 */
export function vectorise(make: (index: number) => Env, copies: number): VectorEnv {
  return new Vectorised(copiesOf("vectorise", make, copies));
}

class Vectorised implements VectorEnv {
  readonly spec: EnvSpec;
  readonly rows: number;
  readonly observation: Tree;
  readonly final: Tree;
  readonly reward: Tensor;
  readonly terminated: Tensor;
  readonly truncated: Tensor;
  readonly mask?: Tensor;
  readonly ended: VectorEnv["ended"];
  readonly render?: (row: number) => string;
  private readonly envs: readonly Env[];
  private readonly table: Rows;
  private readonly actionLike: Tree;
  private readonly maxSteps: number;
  private started = false;
  /** What episodes begin with after the first. */
  private again: ResetOptions | undefined;

  constructor(envs: readonly Env[]) {
    this.envs = envs;
    this.spec = envs[0].spec;
    this.rows = envs.length;
    if (this.spec.agents)
      fail(
        this.spec.id,
        `it has ${this.spec.agents.names.length} agents. Write a MultiEnv and use vectoriseMulti().`,
      );
    this.table = new Rows(this.spec, this.rows, envs[0].mask !== undefined);
    this.observation = this.table.observation;
    this.final = this.table.final;
    this.reward = this.table.reward;
    this.terminated = this.table.terminated;
    this.truncated = this.table.truncated;
    this.ended = this.table.ended;
    if (this.table.mask) this.mask = this.table.mask;
    if (envs[0].render) this.render = (row) => envs[row].render!();
    this.actionLike = columns(this.spec.action, this.rows);
    this.maxSteps = this.spec.maxSteps ?? Number.POSITIVE_INFINITY;
  }

  reset(options: ResetOptions = {}): void {
    const { seed, context } = options;
    this.again = context && { context };
    for (let row = 0; row < this.rows; row++)
      this.begin(row, seed === undefined ? this.again : { ...this.again, seed: seed + row });
    this.table.clear();
    for (const column of [this.reward, this.terminated, this.truncated]) column.data.fill(0);
    this.started = true;
  }

  step(action: Tree): void {
    if (!this.started) fail(this.spec.id, "step() came before reset(). Call reset({ seed }) first.");
    requireTree(this.spec.id, this.actionLike, action, "action");
    this.table.clear();
    for (let row = 0; row < this.rows; row++) this.stepRow(row, action);
  }

  private stepRow(row: number, action: Tree): void {
    const { table, spec } = this;
    // A fresh value each time: environments may keep their last action.
    const value = read(spec.action, action, row);
    const wrong = check(spec.action, value, "action", unbounded);
    if (wrong) table.fault(row, wrong);
    const { observation, reward, terminated, truncated } = this.call(row, value);
    table.putReward(row, reward);
    const late = ++table.running.length[row] >= this.maxSteps && !terminated;
    this.terminated.data[row] = terminated ? 1 : 0;
    this.truncated.data[row] = truncated || late ? 1 : 0;
    if (terminated || truncated || late) {
      table.putObservation(row, this.final, observation);
      table.end(row);
      this.begin(row, this.again);
    } else {
      table.putObservation(row, this.observation, observation);
      this.putMask(row);
    }
  }

  /** The copy's own step, its answer checked. */
  private call(row: number, action: Value): Step {
    let result: Step;
    try {
      result = this.envs[row].step(action);
    } catch (error) {
      threw(this.table, row, "step", error);
    }
    requireResult(this.table, row, "step", result, "{ observation, reward, terminated, truncated }");
    requireFlag(this.table, row, "terminated", result.terminated);
    requireFlag(this.table, row, "truncated", result.truncated);
    return result;
  }

  private begin(row: number, options: ResetOptions | undefined): void {
    let result: ReturnType<Env["reset"]>;
    try {
      result = this.envs[row].reset(options);
    } catch (error) {
      threw(this.table, row, "reset", error);
    }
    requireResult(this.table, row, "reset", result, "{ observation }");
    this.table.putObservation(row, this.observation, result.observation);
    this.table.begin(row);
    this.putMask(row);
  }

  private putMask(row: number): void {
    if (this.mask) this.table.putMask(row, this.envs[row].mask!());
  }

  save(): Snapshot {
    requireSaves(this.envs);
    const context = save(this.again?.context);
    return { table: save(this.table.parts), envs: save(this.envs), started: this.started, context };
  }

  restore(from: Snapshot): void {
    requireSaves(this.envs);
    const saved = from as { table: Snapshot; envs: Snapshot; started: boolean; context: EnvContext | null };
    restore(this.table.parts, saved.table);
    restore([...this.envs], saved.envs, `${this.spec.id} rows`);
    this.started = saved.started;
    this.again = saved.context ? { context: saved.context } : undefined;
  }

  close(): void {
    for (const env of this.envs) env.close?.();
  }
}
