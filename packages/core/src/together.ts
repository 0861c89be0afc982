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
import type { RoundResult, WholeRound } from "./algorithm.ts";
import { fail } from "./errors.ts";
import type { Run } from "./run.ts";

/**
 * Runs that differ in their seeds, a round of all of them in one compiled call: for methods whose round is one function (on-policy
 * methods in traced environments). Each learns what it would learn alone, to the last bit, and can be saved, evaluated and gone on with alone.
 */
export class Together {
  readonly runs: readonly Run[];
  private readonly rounds: readonly WholeRound[];
  /** What all runs have, side by side: what rounds change, and what they read. */
  private readonly changed: Side;
  private readonly read: Side;
  private readonly bound: Bound<RoundResult & Tree>;
  private readonly metrics: readonly { readonly [name: string]: Tensor }[];

  constructor(runs: readonly Run[]) {
    if (runs.length === 0) fail("together", "there are no runs.");
    this.runs = runs;
    this.rounds = runs.map(
      ({ process, options: { algorithm, env } }) =>
        process.whole ??
        fail(
          "together",
          `${algorithm.name} on ${env.spec.id} is not one function. Runs that are: on-policy methods in traced environments without wrappers, such as CartPole-v1 with \`traced\`.`,
        ),
    );
    const [{ name }] = this.rounds;
    this.changed = new Side(this.rounds.map((r) => r.changed));
    this.read = new Side(this.rounds.map((r) => r.read));
    const all = vmap(this.rounds.map(({ fn }) => fn as (c: Tree, r: Tree) => RoundResult & Tree));
    this.bound = compile(all, { name: `${name} × ${runs.length}`, donate: [0] }).bind(
      this.changed.all,
      this.read.all,
    );
    const names = Object.keys(this.bound.result.metrics);
    this.metrics = runs.map(() => Object.fromEntries(names.map((n) => [n, scalar(0)])));
  }

  /** One round of each. */
  round(): void {
    const { runs, rounds, bound, metrics } = this;
    // Runs may have been restored, or have gone on alone.
    this.changed.gather();
    this.read.gather();
    bound.run();
    this.changed.spread();
    rounds.forEach((round, i) => {
      for (const name in metrics[i]) metrics[i][name].data[0] = bound.result.metrics[name].data[i];
      round.computed(metrics[i]);
      runs[i].round();
    });
  }

  /** Rounds until all have taken this many steps, by default their budget. */
  advance(steps?: number): void {
    while (this.runs.some((run) => run.steps < (steps ?? run.options.steps))) this.round();
  }
}

/** The same trees of several runs, and one tree that has all of them side by side. */
class Side {
  readonly all: Tree;
  private readonly each: readonly (readonly Tensor[])[];
  private readonly whole: readonly Tensor[];

  constructor(trees: readonly Tree[]) {
    this.each = trees.map((t) => leaves(t));
    this.all = treeMap(({ shape, dtype }) => zeros([trees.length, ...shape], dtype), trees[0]);
    this.whole = leaves(this.all);
  }

  /** From each to all. */
  gather(): void {
    this.whole.forEach(({ data }, k) => {
      const n = data.length / this.each.length;
      this.each.forEach((list, i) => data.set(list[k].data, i * n));
    });
  }

  /** From all to each. */
  spread(): void {
    this.whole.forEach(({ data }, k) => {
      const n = data.length / this.each.length;
      this.each.forEach((list, i) => list[k].data.set(data.subarray(i * n, (i + 1) * n)));
    });
  }
}
