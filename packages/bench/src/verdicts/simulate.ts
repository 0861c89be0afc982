import { tmpdir } from "node:os";
import type { ClaimVerdict } from "@reins/recipes";
import { measure, runTrial } from "@reins/recipes/book";
import { drawWorld, type Optima, simulated } from "./surface.ts";

/** Verdicts, best first. */
export const verdicts = [
  "shown",
  "towards",
  "undecided",
  "negligible",
  "against",
  "reversed",
  "untestable",
] as const satisfies readonly ClaimVerdict[];

/** The share of recipes with each verdict. */
export type Rates = { readonly [verdict in ClaimVerdict]: number };

/** Verdicts of many simulated recipes with one true effect. */
export interface Simulated {
  /** In units of the smallest relevant effect. */
  readonly effect: number;
  readonly optima: Optima;
  readonly recipes: number;
  /** Over both blocks. */
  readonly pooled: Rates;
  readonly blocks: readonly Rates[];
  /** Mean number of replicates per block. */
  readonly replicates: number;
}

/** Runs simulated recipes, with seeds from `first`, through the whole protocol: tuning, edges, finals, plan, two blocks, verdicts. */
export async function simulate(
  recipes: number,
  effect: number,
  optima: Optima,
  first = 0,
): Promise<Simulated> {
  const pooled: ClaimVerdict[] = [];
  const blocks: ClaimVerdict[][] = [[], []];
  const cache = tmpdir();
  let replicates = 0;
  for (let seed = first; seed < first + recipes; seed++) {
    const made = simulated(seed, drawWorld(seed, optima), effect);
    const found = await measure(made, (jobs) => Promise.all(jobs.map((job) => runTrial(made, job, cache))));
    pooled.push(found.judged[0].verdict);
    for (const [i, { judged = [] }] of found.blocks.entries()) blocks[i].push(judged[0].verdict);
    replicates += found.plan.replicates / recipes;
  }
  return { effect, optima, recipes, pooled: ratesOf(pooled), blocks: blocks.map(ratesOf), replicates };
}

function ratesOf(all: readonly ClaimVerdict[]): Rates {
  const rate = (verdict: ClaimVerdict) => all.filter((v) => v === verdict).length / all.length;
  const [shown, towards, undecided, negligible, against, reversed, untestable] = verdicts.map(rate);
  return { shown, towards, undecided, negligible, against, reversed, untestable };
}

/** The largest share of false `shown` that chance explains if the expected share is one in forty: three standard errors above. */
export const mostByChance = (recipes: number): number => 0.025 + 3 * Math.sqrt((0.025 * 0.975) / recipes);
