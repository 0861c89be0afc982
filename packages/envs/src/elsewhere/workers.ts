import { resolve } from "node:path";
import {
  columns,
  type EnvSpec,
  fail,
  rowSeeds,
  type Snapshot,
  type VectorEnv,
  type VectorResetOptions,
} from "@reins/core";
import { leaves, type Tensor, type Tree, type TypedArray } from "@reins/tensor";
import { actionCheck } from "../actions.ts";
import { leafFinder } from "../wrappers/wrapper.ts";
import { EnvThread } from "./env-thread.ts";
import { resultLeaves, resultsLike, SharedColumns } from "./shared-columns.ts";

/** How an environment is spread over threads. */
export interface WorkersOptions {
  /** Threads. */
  readonly workers: number;
  /** Copies of the environment; 1 for each worker if absent. */
  readonly rows?: number;
  /** What the environment is made with. */
  readonly options?: { readonly [name: string]: unknown };
  /** Milliseconds after which a step without an answer is an error; 600 000 by default. */
  readonly timeout?: number;
}

/** An environment that is spread over threads. */
export interface WorkersEnv extends VectorEnv {
  /** Whether its copies can be saved. */
  readonly savable: boolean;
}

/**
 * The environment of a file, its copies spread over worker threads that step at the same time. Episodes are the same as in one thread,
 * for any number of workers. It pays where a step takes longer than handing it over.
 *
 *     const agent = await train({ algorithm: "ppo", env: (rows) => inWorkers("./my-env.js", { workers: 4, rows }) });
 */
export function inWorkers(file: string, options: WorkersOptions): WorkersEnv {
  const { workers, rows = workers, timeout = 600_000 } = options;
  for (const [name, value] of Object.entries({ workers, rows }))
    if (!Number.isInteger(value) || value < 1)
      fail(file, `${name} is ${value}; it must be a whole number from 1.`);
  const path = resolve(file);
  const count = Math.min(workers, rows);
  const shares = Array.from(
    { length: count },
    (_, i) => Math.floor(rows / count) + (i < rows % count ? 1 : 0),
  );
  const threads = shares.map((copies) => new EnvThread(path, options.options ?? {}, copies, timeout));
  try {
    return new Spread(threads, shares);
  } catch (error) {
    for (const thread of threads) thread.close();
    throw error;
  }
}

/** A thread with its rows here and there. */
interface Section {
  readonly thread: EnvThread;
  readonly copies: number;
  readonly rows: number;
  readonly shared: SharedColumns;
}

class Spread implements WorkersEnv {
  readonly spec: EnvSpec;
  readonly rows: number;
  readonly savable: boolean;
  readonly observation!: Tree;
  readonly final!: Tree;
  readonly reward!: Tensor;
  readonly terminated!: Tensor;
  readonly truncated!: Tensor;
  readonly ended: VectorEnv["ended"];
  readonly render?: (row: number) => string;
  private readonly sections: readonly Section[];
  private readonly results: readonly Tensor[];
  private readonly actionsOf: (action: Tree) => readonly Tensor[];
  private readonly check: (action: Tree) => void;
  private readonly agents: number;
  private begun = false;

  constructor(threads: readonly EnvThread[], shares: readonly number[]) {
    const started = threads.map((thread) => thread.started());
    const { spec, outlines, savable, renders } = started[0];
    this.spec = spec;
    this.savable = savable;
    this.agents = spec.agents?.names.length ?? 1;
    const copies = shares.reduce((a, b) => a + b, 0);
    const rows = copies * this.agents;
    this.rows = rows;
    const results = resultsLike(outlines, rows);
    Object.assign(this, results);
    this.results = resultLeaves(results);
    this.ended = { return: new Float64Array(rows), length: new Int32Array(rows) };
    const action = columns(spec.action, rows);
    this.actionsOf = leafFinder(action, "the action");
    this.check = actionCheck(spec, rows);
    let from = 0;
    this.sections = threads.map((thread, i) => {
      const own = shares[i] * this.agents;
      const shared = new SharedColumns(leaves(action), this.results, own);
      thread.from = from;
      thread.ask({ call: "share", memory: shared.memory });
      from += own;
      return { thread, copies: shares[i], rows: own, shared };
    });
    if (renders) this.render = (row) => this.draw(row);
  }

  reset({ seed, context }: VectorResetOptions = {}): void {
    const { sections } = this;
    const copies = this.rows / this.agents;
    const seeds = seed === undefined ? undefined : rowSeeds(seed, copies, this.spec.id);
    let from = 0;
    for (const { thread, copies } of sections) {
      thread.ask({ call: "reset", seeds: seeds?.slice(from, from + copies), context });
      from += copies;
    }
    this.gather();
    this.begun = true;
  }

  step(action: Tree): void {
    if (!this.begun) fail(this.spec.id, "step() came before reset(). Call reset({ seed }) first.");
    this.check(action);
    const { sections, rows } = this;
    const actions = this.actionsOf(action);
    for (let s = 0; s < sections.length; s++) {
      const { thread, shared } = sections[s];
      for (let i = 0; i < actions.length; i++) {
        const { data } = actions[i];
        const own = shared.actions[i];
        const at = (thread.from * data.length) / rows;
        for (let k = 0; k < own.length; k++) own[k] = data[at + k];
      }
      thread.begin();
    }
    for (let s = 0; s < sections.length; s++) sections[s].thread.finish();
    this.gather();
  }

  save(): Snapshot {
    return this.sections.map(({ thread }) => thread.ask({ call: "save" }) as Snapshot);
  }

  restore(from: Snapshot): void {
    const { sections } = this;
    if (!Array.isArray(from) || from.length !== sections.length)
      fail(this.spec.id, `it was saved with another number of workers than ${sections.length}.`);
    sections.forEach(({ thread }, i) => thread.ask({ call: "restore", from: from[i] as Snapshot }));
    this.gather();
    this.begun = true;
  }

  close(): void {
    for (const { thread } of this.sections) thread.close();
  }

  /** Brings the columns of all threads together. */
  private gather(): void {
    const { sections, results, ended, rows } = this;
    for (let s = 0; s < sections.length; s++) {
      const { thread, shared } = sections[s];
      for (let i = 0; i < results.length; i++) {
        const { data } = results[i];
        place(shared.results[i], data, (thread.from * data.length) / rows);
      }
      ended.return.set(shared.returns, thread.from);
      ended.length.set(shared.lengths, thread.from);
    }
  }

  private draw(row: number): string {
    const section = this.sections.find(({ thread, rows }) => row < thread.from + rows)!;
    return section.thread.ask({ call: "render", row: row - section.thread.from }) as string;
  }
}

/** Copies numbers to a place; a loop beats `set` for a few of them. */
function place(from: TypedArray, to: TypedArray, at: number): void {
  if (from.length > 64) to.set(from, at);
  else for (let i = 0; i < from.length; i++) to[at + i] = from[i];
}
