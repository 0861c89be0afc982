import type { Judgement } from "../claims/judge.ts";
import { mean, type Table } from "../claims/table.ts";
import type { Recipe } from "../recipe.ts";
import { armsOf } from "../recipe.ts";
import type { Job, StoredOutcome } from "./trial.ts";

/** Results of all arms in one block of evaluation seeds. */
export interface Block extends Table {
  readonly firstSeed: number;
  /** Budget used by each run, by arm. */
  readonly used: { readonly [side: string]: readonly number[] };
  /** Replicates whose runs diverged, by arm, and how. */
  readonly failed?: { readonly [side: string]: { readonly [replicate: string]: string } };
  /** Digests of the warm starts of the first replicate. */
  readonly warm?: { readonly [name: string]: string };
  /** Judgements of the claims by this block alone. */
  readonly judged?: readonly Judgement[];
  /** Numbers from the first updates of each arm in the first replicate, for tests of quick trials. */
  readonly early: { readonly [side: string]: readonly number[] };
  readonly seconds: number;
  /** The back end that computed it. */
  readonly backend: string;
}

/** Outcomes as a block. Runs of the same replicate are aggregated: medians of repeated runs, means of seeds. */
export function blockOf(
  recipe: Recipe,
  firstSeed: number,
  jobs: readonly Job[],
  outcomes: readonly StoredOutcome[],
): Block {
  const nameOf = (job: Job) => job.replicate ?? `${job.seed}`;
  const replicates = [...new Set(jobs.map(nameOf))];
  const sides = armsOf(recipe);
  const runs = (side: number, replicate: string) =>
    outcomes.filter((_, i) => jobs[i].side === side && nameOf(jobs[i]) === replicate);
  const values: Record<string, Record<string, number[]>> = {};
  const used: Record<string, number[]> = {};
  const failed: Record<string, Record<string, string>> = {};
  const early: Record<string, readonly number[]> = {};
  for (const [side, { name }] of sides.entries()) {
    const all = replicates.map((r) => runs(side, r)).filter((r) => r.length > 0);
    if (all.length === 0) continue;
    const keys = [...new Set(all.flat().flatMap((o) => Object.keys(o.values)))];
    values[name] = Object.fromEntries(
      keys.map((key) => {
        const together = recipe.metrics[key]?.clock === "wall" ? median : mean;
        return [key, all.map((list) => together(list.map((o) => o.values[key] ?? Number.NaN)))];
      }),
    );
    used[name] = all.map((list) => mean(list.map((o) => o.used)));
    early[name] = all[0][0].early;
    for (const [i, list] of all.entries())
      for (const { failed: how } of list)
        if (how !== undefined) failed[name] = { ...failed[name], [replicates[i]]: how };
  }
  const warm = outcomes[0]?.warm;
  return {
    firstSeed,
    replicates,
    values,
    used,
    early,
    ...(Object.keys(failed).length && { failed }),
    ...(warm && { warm }),
    seconds: outcomes.reduce((s, o) => s + o.seconds, 0),
    backend: outcomes[0]?.backend ?? "none",
  };
}

/** The table of a block. */
export const tableOf = ({ replicates, values, rivals }: Block): Table => ({
  replicates,
  values,
  ...(rivals && { rivals }),
});

/** The median of some values. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
