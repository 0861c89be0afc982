import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fail } from "@reins/core";
import { Journal } from "../jobs/index.ts";
import { type Recipe, sidesOf } from "../recipe.ts";
import { builtFile, loadEntry, recipeFiles } from "./book.ts";
import { codeOf, sameCode } from "./code.ts";
import { nextBlock, readHistory, retire } from "./history.ts";
import { lock } from "./lock.ts";
import { commitOf, machineOf } from "./machine.ts";
import { type Findings, type MeasureOptions, measure, type Prepared } from "./protocol.ts";
import { counted, type Result, readResult, writeResult } from "./result.ts";
import { SharedOutcomes } from "./shared.ts";
import type { Job, Kept } from "./trial.ts";
import { openTrials } from "./trials.ts";

/** Settings of {@link perform}. */
export interface PerformOptions {
  readonly quick?: boolean;
  /** Adds one more block of seeds to a recorded result, as a check. */
  readonly another?: boolean;
  /** Why a recorded result is measured anew, on the next blocks; it is kept among the earlier attempts. */
  readonly because?: string;
  /** Processes at the same time (default: one for each core). */
  readonly jobs?: number;
  /** What the result says it was measured with. */
  readonly versions?: { readonly [name: string]: string };
  /** Called when a run has ended. `total` grows when tuning is over. */
  readonly progress?: (state: { done: number; total: number; job: Job; outcome: Kept; side: string }) => void;
  readonly stop?: () => boolean;
}

/** Findings, and the result if one was recorded. */
export interface Performed extends Findings {
  readonly recipe: Recipe;
  readonly result?: Result;
}

/** Where warm starts lie and what interrupted measurements have: beside the recipes, where a restart of the machine does not lose it. */
export const cacheFolder = (book: string): string => process.env.REINS_RECIPE_CACHE ?? join(book, ".cache");

/** A quick trial would spend its time in the C compiler: WebAssembly is there at once. */
const quickly = { REINS_BACKEND: process.env.REINS_BACKEND ?? "wasm" };

/** Thrown where the user stopped a measurement. What is done is kept. */
export class Stopped extends Error {}

/** Measures a recipe of the book and records the result. Quick trials are not recorded. */
export async function perform(book: string, id: string, options: PerformOptions = {}): Promise<Performed> {
  const { file, built, recipe } = await open(book, id);
  const work = workshop(book, id, file, built, recipe, options);
  const free = lock(join(cacheFolder(book), `${id}.lock`), `recipe ${id}`);
  try {
    const before = readResult(book, id);
    const code = codeOf(file);
    if (options.another && !before)
      fail(`recipe ${id}`, `nothing is recorded. reins recipes run ${id} measures it.`);
    if (before && !options.quick && !options.another && options.because === undefined)
      fail(
        `recipe ${id}`,
        sameCode(before.code, code)
          ? "it is measured, and nothing has changed since. reins recipes run --another adds a block of seeds."
          : `it is measured. reins recipes verify ${id} tells whether it still holds; to measure it anew say why: --because WORDS.`,
      );
    const begun = work.journal.overtaken.map((job) => job.seed);
    const block = nextBlock(readHistory(book, id), before, begun);
    const findings = await measure(recipe, work.run, {
      quick: options.quick,
      ...work.planned(block, before, options),
    });
    const performed = { ...findings, recipe };
    if (options.quick) return performed;
    const result = options.another
      ? { ...before!, blocks: [...before!.blocks, ...findings.blocks] }
      : resultOf(recipe, findings, {
          ...work.spent(),
          measuredAt: commitOf(book),
          machine: machineOf(findings.blocks[0].backend, options.versions),
          code,
        });
    if (before && !options.another) retire(book, before, options.because!);
    writeResult(book, result);
    work.journal.remove();
    return { ...performed, result };
  } finally {
    await work.close();
    free();
  }
}

/** A recipe of the book, with its files. */
export async function open(
  book: string,
  id: string,
): Promise<{ file: string; built: string; recipe: Recipe }> {
  const file = recipeFiles(book).get(id);
  if (!file) return fail(`recipe ${id}`, "it is not written yet. reins recipes list shows those that are.");
  const built = builtFile(book, file);
  const entry = await loadEntry(built);
  if (entry.kind === "mapped")
    return fail(`recipe ${id}`, "it is mapped to others: there is nothing to run.");
  return { file, built, recipe: entry };
}

/** What runs the trials of a measurement, and remembers them. */
function workshop(
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
  const journal = new Journal<Job, Kept>(
    join(cache, `${id}.jsonl`),
    `${code.meaning.all} ${code.numerics.all}`,
  );
  const shared = new SharedOutcomes(join(cache, "shared"), recipe, file);
  // Where the clock on the wall counts, nothing else may run beside it.
  const alone = Object.values(recipe.metrics).some((m) => m.clock === "wall");
  const trials = openTrials({
    file: built,
    cache: join(cache, "warm"),
    jobs: alone ? 1 : (options.jobs ?? availableParallelism()),
    stop,
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
      options.progress?.({ done, total, job, outcome, side: sidesOf(recipe)[job.side].name });
    });
    if (outcomes.some((o) => !o))
      throw new Stopped("Stopped. What is done is kept; the same command goes on.");
    for (const o of outcomes) processorSeconds += o!.seconds;
    return outcomes as Kept[];
  };
  return {
    run,
    journal,
    close: () => trials.close(),
    spent: () => ({ wallSeconds: (performance.now() - start) / 1000, processorSeconds }),
    /** One more block has the settings and the size of those before it. */
    planned: (block: number, before: Result | undefined, { another }: PerformOptions): MeasureOptions =>
      another && before
        ? { block, blocks: 1, prepared: preparedOf(recipe, before) }
        : { block, blocks: quick ? 1 : counted },
  };
}

const preparedOf = (recipe: Recipe, { settings, tuning, best, plan }: Result): Prepared => ({
  settings: sidesOf(recipe).map((s) => settings[s.name]),
  tuning,
  best,
  plan,
});

function resultOf(
  recipe: Recipe,
  { judged, settings, tuning, plan, best, blocks }: Findings,
  rest: Pick<Result, "wallSeconds" | "processorSeconds" | "measuredAt" | "machine" | "code">,
): Result {
  const { id, claims, metrics, system, baselines, budget } = recipe;
  return {
    id,
    claims,
    metrics,
    system: system.name,
    baselines: baselines.map((b) => b.name),
    ...(best !== undefined && { best }),
    judged,
    settings: Object.fromEntries(sidesOf(recipe).map((s, i) => [s.name, settings[i]])),
    tuning,
    plan,
    blocks,
    budget: { unit: budget.unit, full: budget.full },
    ...rest,
  };
}
