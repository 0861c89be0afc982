import { availableParallelism } from "node:os";
import { join } from "node:path";
import { Journal } from "../jobs/index.ts";
import { armsOf, isTimed, type Recipe } from "../recipe.ts";
import { codeOf } from "./code.ts";
import { cacheFolder } from "./open-recipe.ts";
import { SharedOutcomes } from "./outcome-cache.ts";
import { type Job, type StoredOutcome, whereOf } from "./trial.ts";
import { openTrials } from "./trials.ts";

/** Settings of {@link perform}. */
export interface PerformOptions {
  readonly quick?: boolean;
  /** Adds another block of seeds to a recorded result, as a check. */
  readonly another?: boolean;
  /** Why a recorded result is measured again, on the next blocks; the old one is kept among the earlier attempts. */
  readonly because?: string;
  /** Runs the planned number of replicates whatever the first look at a recipe on a testbed says. */
  readonly whole?: boolean;
  /** Number of parallel processes (default: one per core). */
  readonly jobs?: number;
  /** Versions to record in the result. */
  readonly versions?: { readonly [name: string]: string };
  /** Called when a run has ended. `total` grows when tuning is over. */
  readonly progress?: (state: {
    done: number;
    total: number;
    job: Job;
    outcome: StoredOutcome;
    side: string;
  }) => void;
  readonly stop?: () => boolean;
}

/** A quick trial would spend its time in the C compiler; WebAssembly is available at once. */
const quickly = { REINS_BACKEND: process.env.REINS_BACKEND ?? "wasm" };

/** Thrown when the user interrupts a measurement. Finished runs are kept. */
export class Stopped extends Error {}

/** Runs the trials of a measurement and caches them. */
export function trialRunner(
  book: string,
  id: string,
  file: string,
  built: string,
  recipe: Recipe,
  options: PerformOptions,
) {
  const { quick = false, stop = () => false } = options;
  const cache = cacheFolder(book);
  const code = codeOf(file);
  const journal = new Journal<Job, StoredOutcome>(
    join(cache, `${id}.jsonl`),
    `${code.meaning.all} ${code.numerics.all} ${process.env.REINS_BACKEND ?? "auto"}`,
  );
  const shared = new SharedOutcomes(join(cache, "shared"), recipe, file);
  // If wall-clock time is measured, nothing else may run at the same time.
  const alone = isTimed(recipe);
  const trials = openTrials({
    file: built,
    cache: join(cache, "warm"),
    jobs: alone ? 1 : (options.jobs ?? availableParallelism()),
    stop,
    whereOf: (job) => whereOf(recipe, job),
    env: quick ? quickly : {},
  });
  const start = performance.now();
  let processorSeconds = 0;
  let [done, total] = [0, 0];
  const run = async (jobs: readonly Job[]) => {
    total += jobs.length;
    const outcomes = jobs.map((job) => (quick ? undefined : (journal.find(job) ?? shared.find(job))));
    const missing = jobs.flatMap((job, index) => (outcomes[index] ? [] : [{ job, index }]));
    done += jobs.length - missing.length;
    const jobsLeft = missing.map((m) => m.job);
    await trials.run(jobsLeft, (at, outcome) => {
      const { job, index } = missing[at];
      outcomes[index] = outcome;
      if (!quick) {
        journal.add(job, outcome);
        shared.add(job, outcome);
      }
      done++;
      options.progress?.({ done, total, job, outcome, side: armsOf(recipe)[job.side].name });
    });
    if (outcomes.some((o) => !o))
      throw new Stopped("Stopped. Finished runs are kept; the same command continues.");
    for (const o of outcomes) processorSeconds += o!.seconds;
    return outcomes as StoredOutcome[];
  };
  return {
    run,
    journal,
    close: () => trials.close(),
    spent: () => ({ wallSeconds: (performance.now() - start) / 1000, processorSeconds }),
  };
}
