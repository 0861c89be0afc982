import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fail } from "@reins/core";
import { Journal } from "../jobs/index.ts";
import type { Recipe } from "../recipe.ts";
import { builtFile, loadEntry, recipeFiles } from "./book.ts";
import { type Finding, firstEvaluationSeed, measure } from "./protocol.ts";
import { explained, type Result, readResult, writeResult } from "./result.ts";
import { codeHash } from "./sources.ts";
import type { Job, Kept } from "./trial.ts";
import { runTrials } from "./trials.ts";

/** Settings of {@link perform}. */
export interface PerformOptions {
  readonly seeds?: number;
  readonly firstSeed?: number;
  readonly quick?: boolean;
  /** Processes at the same time (default: one for each core). */
  readonly jobs?: number;
  /** What the result says it was measured with. */
  readonly versions?: { readonly [name: string]: string };
  /** Called when a run has ended. `total` grows when tuning is over. */
  readonly progress?: (state: { done: number; total: number; job: Job; outcome: Kept }) => void;
  readonly stop?: () => boolean;
}

/** A finding, and the result if one was recorded. */
export interface Performed extends Finding {
  readonly recipe: Recipe;
  readonly result?: Result;
}

/** Where warm starts lie and what interrupted measurements have: beside the recipes, where a restart of the machine does not lose it. */
export const cacheFolder = (book: string): string => process.env.REINS_RECIPE_CACHE ?? join(book, ".cache");

/** A quick trial would spend its time in the C compiler: WebAssembly is there at once. */
const quickly = { REINS_BACKEND: process.env.REINS_BACKEND ?? "wasm" };

/** Thrown where the user stopped a measurement. What is done is kept. */
export class Stopped extends Error {}

/**
 * Measures a recipe of the book. With the usual seeds the result is recorded; with others it is added to the recorded one, whose
 * tuning it uses. Quick trials are not recorded.
 */
export async function perform(book: string, id: string, options: PerformOptions = {}): Promise<Performed> {
  const file = recipeFiles(book).get(id);
  if (!file) return fail(`recipe ${id}`, "it is not written yet. reins recipes list shows those that are.");
  const built = builtFile(book, file);
  const entry = await loadEntry(built);
  if (entry.kind === "mapped")
    return fail(`recipe ${id}`, "it is mapped to others: there is nothing to run.");
  const { quick = false, firstSeed = firstEvaluationSeed, stop = () => false } = options;
  const hash = codeHash(file);
  const before = readResult(book, id);
  const cache = cacheFolder(book);
  const journal = new Journal<Job, Kept>(join(cache, `${id}.jsonl`), hash);
  const start = performance.now();
  let processorSeconds = 0;
  let [done, total] = [0, 0];
  const run = async (jobs: readonly Job[]) => {
    total += jobs.length;
    const outcomes = jobs.map((job) => (quick ? undefined : journal.find(job)));
    const missing = jobs.flatMap((job, index) => (outcomes[index] ? [] : [{ job, index }]));
    done += jobs.length - missing.length;
    await runTrials(
      missing.map((m) => m.job),
      {
        file: built,
        cache: join(cache, "warm"),
        jobs: options.jobs ?? availableParallelism(),
        stop,
        env: quick ? quickly : {},
        done(at, outcome) {
          const { job, index } = missing[at];
          outcomes[index] = outcome;
          if (!quick) journal.add(job, outcome);
          done++;
          options.progress?.({ done, total, job, outcome });
        },
      },
    );
    if (outcomes.some((o) => !o))
      throw new Stopped("Stopped. What is done is kept; the same command goes on.");
    for (const o of outcomes) processorSeconds += o!.seconds;
    return outcomes as Kept[];
  };
  // Other seeds are judged with the settings that the recorded result was tuned to.
  const usual = firstSeed === firstEvaluationSeed;
  const tuned = !usual && before?.hash === hash ? before.tuning : undefined;
  const finding = await measure(entry, run, { ...options, tuned });
  const performed = { ...finding, recipe: entry };
  // A record has as many seeds as its recipe says: flags cannot make it another.
  if (quick || (usual ? finding.measured.seeds !== (entry.seeds ?? 10) : finding.measured.seeds < 10))
    return performed;
  const wallSeconds = (performance.now() - start) / 1000;
  const found = usual
    ? resultOf(entry, finding, { hash, wallSeconds, processorSeconds, versions: options.versions ?? {} })
    : before?.hash === hash
      ? {
          ...before,
          again: [...(before.again ?? []).filter((a) => a.firstSeed !== firstSeed), finding.measured],
        }
      : undefined;
  if (!found) return performed;
  const result = explained(found, entry);
  writeResult(book, result);
  if (usual) journal.remove();
  return { ...performed, result };
}

function resultOf(
  recipe: Recipe,
  { judgement, measured, sides, tuning, used }: Finding,
  rest: Pick<Result, "hash" | "wallSeconds" | "processorSeconds" | "versions">,
): Result {
  const { id, claim, metric, budget } = recipe;
  return {
    id,
    ...measured,
    claim,
    metric,
    effects: judgement.effects,
    sides,
    tuning,
    budget: { unit: budget.unit, full: budget.full },
    used,
    ...rest,
  };
}
