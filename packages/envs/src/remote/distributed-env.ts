import {
  type EnvSpec,
  fail,
  type Rendering,
  type Snapshot,
  type VectorEnv,
  type VectorResetOptions,
} from "@reins/core";
import { mergeSnapshots, rowSeeds, splitSnapshot } from "@reins/core/forms";
import { columns } from "@reins/core/spaces";
import { leaves, type Tensor, type Tree, type TypedArray } from "@reins/tensor";
import { actionCheck } from "../actions.ts";
import { leafFinder } from "../wrappers/wrapper.ts";
import type { Carrier, Change, Question } from "./carrier.ts";
import { resultLeaves, resultsLike, SharedColumns } from "./shared-columns.ts";
import { withoutTensors } from "./without-tensors.ts";

/** An environment that is distributed over workers. */
export interface WorkersEnv extends VectorEnv {
  /** Whether its copies can be saved. */
  readonly savable: boolean;
}

/** A worker with its rows here and there. */
interface Section {
  readonly worker: Carrier;
  /** Copies of the environment, and the index of its first row. */
  readonly copies: number;
  readonly from: number;
  readonly rows: number;
  readonly shared: SharedColumns;
}

/** See `inWorkers`. */
export class Spread implements WorkersEnv {
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
  readonly picture?: (row: number) => Rendering;
  private readonly separate: boolean;
  private readonly shares: readonly number[];
  private readonly sections: readonly Section[];
  private readonly results: readonly Tensor[];
  private readonly actionsOf: (action: Tree) => readonly Tensor[];
  private readonly check: (action: Tree) => void;
  private readonly agents: number;
  private begun = false;

  constructor(workers: readonly Carrier[], shares: readonly number[]) {
    const started = workers.map((worker) => worker.started());
    const { spec, outlines, savable, renders, pictures, separate } = started[0];
    this.spec = spec;
    this.savable = savable;
    this.separate = separate;
    this.agents = spec.agents?.names.length ?? 1;
    this.shares = shares;
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
    this.sections = workers.map((worker, i) => {
      const own = shares[i] * this.agents;
      const shared = new SharedColumns(leaves(action), this.results, own, worker.allocate);
      worker.share(shared, { from, to: from + own });
      const section = { worker, copies: shares[i], from, rows: own, shared };
      from += own;
      return section;
    });
    if (renders) this.render = (row) => this.ask("render", row) as string;
    if (pictures) this.picture = (row) => this.ask("picture", row) as Rendering;
  }

  reset({ seed, context }: VectorResetOptions = {}): void {
    const seeds = seed === undefined ? undefined : rowSeeds(seed, this.rows / this.agents, this.spec.id);
    let from = 0;
    const own = this.shares.map((copies) => {
      from += copies;
      return seeds?.slice(from - copies, from);
    });
    this.change((i) => ({ call: "reset", seeds: own[i], context }));
  }

  step(action: Tree): void {
    if (!this.begun) fail(this.spec.id, "step() was called before reset(). Call reset({ seed }) first.");
    this.check(action);
    const { sections, rows } = this;
    const actions = this.actionsOf(action);
    for (let s = 0; s < sections.length; s++) {
      const { worker, from, shared } = sections[s];
      for (let i = 0; i < actions.length; i++) {
        const { data } = actions[i];
        const own = shared.actions[i];
        const at = (from * data.length) / rows;
        for (let k = 0; k < own.length; k++) own[k] = data[at + k];
      }
      worker.begin();
    }
    this.finish();
  }

  /** With copies created one by one, the snapshot equals that of one process. */
  save(): Snapshot {
    const saved = this.sections.map(({ worker }) => worker.ask({ call: "save" }) as Snapshot);
    return this.separate ? mergeSnapshots(saved) : saved;
  }

  restore(from: Snapshot): void {
    const dealt = this.separate ? splitSnapshot(from, this.shares, this.spec.id) : this.byWorker(from);
    this.change((i) => ({ call: "restore", from: withoutTensors(dealt[i]) }));
  }

  close(): void {
    for (const { worker } of this.sections) worker.close();
  }

  /** The snapshot of a batched environment, which cannot be redistributed. */
  private byWorker(from: Snapshot): readonly Snapshot[] {
    const here = this.sections.length;
    if (Array.isArray(from) && from.length === here) return from as readonly Snapshot[];
    const there = Array.isArray(from) ? `by ${from.length} workers` : "without workers";
    return fail(
      this.spec.id,
      `this batched environment was saved ${there} and can be resumed only with the same workers; here are ${here} workers.`,
    );
  }

  /** Starts a request in all workers, and waits for them. */
  private change(what: (worker: number) => Change): void {
    this.sections.forEach(({ worker }, i) => {
      worker.begin(what(i));
    });
    this.finish();
    this.begun = true;
  }

  /** Waits for all workers, and gathers their columns. An error of one is thrown after the others have replied. */
  private finish(): void {
    const { sections } = this;
    let failed: { readonly error: unknown } | undefined;
    for (let s = 0; s < sections.length; s++) {
      try {
        sections[s].worker.finish();
      } catch (error) {
        failed ??= { error };
      }
    }
    if (failed) throw failed.error;
    this.gather();
  }

  private gather(): void {
    const { sections, results, ended, rows } = this;
    for (let s = 0; s < sections.length; s++) {
      const { from, shared } = sections[s];
      for (let i = 0; i < results.length; i++) {
        const { data } = results[i];
        place(shared.results[i], data, (from * data.length) / rows);
      }
      ended.return.set(shared.returns, from);
      ended.length.set(shared.lengths, from);
    }
  }

  private ask(call: "render" | "picture", row: number): unknown {
    const section = this.sections.find(({ from, rows }) => row < from + rows);
    if (!section) return fail(this.spec.id, `row ${row} does not exist; there are ${this.rows} rows.`);
    const question: Question = { call, row: row - section.from };
    return section.worker.ask(question);
  }
}

/** Copies numbers; for few numbers a loop is faster than `set`. */
function place(from: TypedArray, to: TypedArray, at: number): void {
  if (from.length > 64) to.set(from, at);
  else for (let i = 0; i < from.length; i++) to[at + i] = from[i];
}
