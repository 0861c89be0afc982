import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fail } from "@reins/core";
import { simplesOf } from "../claims/claim.ts";
import { samplesOf } from "../claims/effects.ts";
import { armsOf, type Recipe } from "../recipe.ts";
import { predictionInterval } from "../statistics/interval.ts";
import { named } from "./claimed-sides.ts";
import { codeOf, sameCode } from "./code.ts";
import { commitOf } from "./machine.ts";
import { cacheFolder, open } from "./open-recipe.ts";
import { rolesOf } from "./prepare.ts";
import { type Block, blockOf, tableOf } from "./record.ts";
import { rejudgedResult } from "./rejudge.ts";
import { type Result, readResult } from "./result.ts";
import { type Job, type StoredOutcome, whereOf } from "./trial.ts";
import { openTrials, type Trials } from "./trials.ts";
import type { Check, RecipeVerification } from "./verification.ts";
import { Stopped } from "./workshop.ts";

/** Settings of {@link verify}. */
export interface VerifyOptions {
  readonly jobs?: number;
  readonly stop?: () => boolean;
}

/** Replicates that must lie in the prediction interval if only numerics changed. */
const predicted = 3;

/** Runs the first replicate of each arm that claims name, with the recorded settings. Undefined if no result is recorded. */
export async function verify(
  book: string,
  id: string,
  options: VerifyOptions = {},
): Promise<RecipeVerification | undefined> {
  const { file, built, recipe } = await open(book, id);
  const result = readResult(book, id);
  if (!result) return undefined;
  const { jobs = availableParallelism(), stop = () => false } = options;
  const trials = openTrials({
    file: built,
    cache: join(cacheFolder(book), "warm"),
    jobs,
    stop,
    whereOf: (job) => whereOf(recipe, job),
    env: {},
  });
  try {
    return await compare(recipe, result, file, commitOf(book), runner(trials));
  } finally {
    await trials.close();
  }
}

async function compare(
  recipe: Recipe,
  result: Result,
  file: string,
  at: string,
  run: Run,
): Promise<RecipeVerification> {
  const { id } = recipe;
  const [block] = result.blocks;
  checkRecord(recipe, result);
  const changed = changedIn(recipe, result);
  if (changed.length > 0) return { id, how: "moved", at, differs: [], changed };
  const now = await again(recipe, result, block, run, 1);
  const differs = differences(recipe, block, now);
  // Other back ends may sum in another order, which says nothing about the result.
  if (differs.length > 0 && now.backend !== block.backend)
    fail(
      `recipe ${id}`,
      `it was measured with the back end ${block.backend}, but this is ${now.backend}, which gives other bits. Set REINS_BACKEND=${block.backend}.`,
    );
  if (differs.length === 0) return { id, how: "bits", at, differs };
  const code = codeOf(file);
  const onlyNumerics = code.meaning.all === result.code.meaning.all && !sameCode(code, result.code);
  const fits =
    onlyNumerics && isPredicted(recipe, result, await again(recipe, result, block, run, predicted));
  return { id, how: fits ? "predicted" : "moved", at, differs };
}

type Run = (jobs: readonly Job[]) => Promise<readonly StoredOutcome[]>;

const runner =
  (trials: Trials): Run =>
  async (list) => {
    const outcomes: StoredOutcome[] = [];
    await trials.run(list, (at, outcome) => {
      outcomes[at] = outcome;
    });
    if (list.some((_, i) => outcomes[i] === undefined)) throw new Stopped("Stopped.");
    return outcomes;
  };

/** Throws for a record whose verdicts do not follow from its values. */
function checkRecord({ id }: Recipe, result: Result): void {
  for (const [i, { verdict }] of rejudgedResult(result).judged.entries()) {
    const recorded = result.judged[i]?.verdict;
    if (verdict !== recorded)
      fail(
        `recipe ${id}`,
        `claim ${i + 1} is recorded as ${recorded}, but its values give ${verdict}. Restore results/${id}.json from the repository; if the rules have changed since, run reins recipes judge ${id} --because WORDS.`,
      );
  }
}

/** Parts of the recipe that have changed since it was measured, except texts. */
function changedIn(recipe: Recipe, result: Result): string[] {
  const now = {
    system: recipe.system.name,
    baselines: recipe.baselines.map((b) => b.name),
    metrics: recipe.metrics,
    claims: recipe.claims,
    tuned: recipe.tuneOn,
  };
  const words = new Set(["about", "because", "paper"]);
  const print = (x: unknown) => JSON.stringify(x, (key, v) => (words.has(key) ? undefined : v));
  return (Object.keys(now) as (keyof typeof now)[]).filter(
    (what) => print(now[what]) !== print(result[what]),
  );
}

/** Runs the first replicates of a block again, for all arms that a claim names. */
async function again(recipe: Recipe, result: Result, block: Block, run: Run, count: number): Promise<Block> {
  const suite = typeof recipe.replicates === "object" ? recipe.replicates : undefined;
  const which = suite
    ? suite.names
        .slice(0, count)
        .flatMap((replicate) =>
          Array.from({ length: suite.seeds }, (_, s) => ({ replicate, seed: block.firstSeed + s })),
        )
    : Array.from({ length: Math.min(count, block.replicates.length) }, (_, i) => ({
        seed: block.firstSeed + i,
      }));
  const jobs = which.flatMap((w) =>
    armsOf(recipe)
      .map((s, side): Job => ({ side, ...w, settings: result.settings[s.name], quick: false }))
      .filter(({ side }) => side <= recipe.baselines.length || named(recipe, side))
      // Arms of a testbed are verified with the testbed.
      .filter(({ side }) => count > 1 || !recipe.on?.arms.includes(armsOf(recipe)[side].name)),
  );
  return blockOf(recipe, block.firstSeed, jobs, await run(jobs));
}

/** Values that differ from the record. Wall-clock times are ignored. */
function differences(recipe: Recipe, block: Block, now: Block): Check[] {
  return Object.keys(now.values).flatMap((side) => {
    const [before, after] = [block.values[side] ?? {}, now.values[side]];
    const names = [...new Set([...Object.keys(after), ...Object.keys(before)])];
    return names.flatMap((value) => {
      if (recipe.metrics[value]?.clock === "wall") return [];
      const [recorded, given] = [before, after].map((v) => v[value]?.[0] ?? Number.NaN);
      return Object.is(recorded, given)
        ? []
        : [{ side, replicate: now.replicates[0], value, recorded, now: given }];
    });
  });
}

/** Whether the headline's effects of these replicates are within the prediction interval of the recorded ones. */
function isPredicted(recipe: Recipe, result: Result, now: Block): boolean {
  const cast = rolesOf(recipe, result.best);
  const samples = (block: Block) =>
    simplesOf(recipe.claims[0]).flatMap((c) => samplesOf(c, cast, tableOf(block)));
  const before = samples(result.blocks[0]);
  return samples(now).every((s, i) => {
    const { low, high } = predictionInterval(before[i].effects);
    return s.effects.every((e) => e >= low && e <= high);
  });
}
