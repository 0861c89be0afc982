import {
  type Bound,
  compile,
  leaves,
  scalar,
  type Tensor,
  type Tree,
  treeMap,
  vmap,
  zeros,
} from "@reins/tensor";
import type { CompiledRound, RoundResult } from "./algorithm.ts";
import { fail } from "./errors.ts";
import type { Run } from "./run.ts";

/**
 * Runs that differ in their seeds, with one round of all of them in one compiled call: for methods whose round is one function (on-policy
 * methods in traced environments). Each is bit-identical to the same run alone, and can be saved, evaluated and continued alone.
 */
export class BatchedRuns {
  readonly runs: readonly Run[];
  private readonly rounds: readonly CompiledRound[];
  /** The stacked trees of all runs: those that rounds change, and those that they read. */
  private readonly changed: Side;
  private readonly read: Side;
  /** One call per form of the round. */
  private readonly bound = new Map<number, Bound<RoundResult & Tree>>();
  private readonly metrics: readonly Record<string, Tensor>[];

  constructor(runs: readonly Run[]) {
    if (runs.length === 0) fail("BatchedRuns", "got no runs. Pass at least one.");
    this.runs = runs;
    this.rounds = runs.map(
      ({ process, options: { algorithm, env } }) =>
        process.whole ??
        fail(
          "BatchedRuns",
          `${algorithm.name} on ${env.spec.id} cannot run together, because its round is not one function. Use an on-policy method in a traced environment without wrappers, such as CartPole-v1 with \`traced\`.`,
        ),
    );
    this.changed = new Side(this.rounds.map((r) => r.changed));
    this.read = new Side(this.rounds.map((r) => r.read));
    this.metrics = runs.map(() => ({}));
    this.call();
  }

  /** The call for the current form of all rounds; undefined if forms differ, or if one call would change last bits. */
  private call(): Bound<RoundResult & Tree> | undefined {
    const { rounds, bound, changed, read } = this;
    const [form, ...others] = rounds.map((r) => r.form?.() ?? 0);
    if (others.some((f) => f !== form) || rounds.some((r) => r.batchable === false)) return undefined;
    const known = bound.get(form);
    if (known) return known;
    const all = vmap(rounds.map(({ fn }) => fn as (c: Tree, r: Tree) => RoundResult & Tree));
    const name = `${rounds[0].name} × ${rounds.length}`;
    const made = compile(all, { name, donate: [0], host: true }).bind(changed.all, read.all);
    bound.set(form, made);
    return made;
  }

  /** One round of each run. Returns the runs that failed, with their errors; the others have advanced. */
  round(): ReadonlyMap<Run, unknown> {
    const { runs, rounds, metrics } = this;
    const failed = new Map<Run, unknown>();
    const goOn = (run: Run, before?: () => void) => {
      try {
        before?.();
        run.round();
      } catch (error) {
        failed.set(run, error);
      }
    };
    const call = this.call();
    if (!call) {
      for (const run of runs) goOn(run);
      return failed;
    }
    // Runs may have been restored or advanced alone.
    this.changed.gather();
    this.read.gather();
    call.run();
    this.changed.spread();
    const measured = Object.entries(call.result.metrics);
    rounds.forEach((round, i) => {
      for (const [name, { data }] of measured) (metrics[i][name] ??= scalar(0)).data[0] = data[i];
      goOn(runs[i], () => round.computed(metrics[i]));
    });
    return failed;
  }

  /** Rounds until all runs have taken this many steps (default: their budget). */
  advance(steps?: number): void {
    while (this.runs.some((run) => run.steps < (steps ?? run.options.steps)))
      for (const error of this.round().values()) throw error;
  }
}

/** Trees of several runs, and one tree with all of them stacked. */
class Side {
  readonly all: Tree;
  private readonly each: readonly (readonly Tensor[])[];
  private readonly whole: readonly Tensor[];

  constructor(trees: readonly Tree[]) {
    this.each = trees.map((t) => leaves(t));
    this.all = treeMap(({ shape, dtype }) => zeros([trees.length, ...shape], dtype), trees[0]);
    this.whole = leaves(this.all);
  }

  /** Copies each into the stack. */
  gather(): void {
    this.whole.forEach(({ data }, k) => {
      const n = data.length / this.each.length;
      this.each.forEach((list, i) => data.set(list[k].data, i * n));
    });
  }

  /** Copies the stack back to each. */
  spread(): void {
    this.whole.forEach(({ data }, k) => {
      const n = data.length / this.each.length;
      this.each.forEach((list, i) => list[k].data.set(data.subarray(i * n, (i + 1) * n)));
    });
  }
}
