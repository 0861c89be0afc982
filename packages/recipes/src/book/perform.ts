import { join } from "node:path";
import { fail } from "@reins/core";
import { armsOf, type Recipe } from "../recipe.ts";
import { codeOf, recordedCode, sameCode } from "./code.ts";
import { archiveResult, nextBlock, readHistory, recordUnfinished } from "./history.ts";
import { lock } from "./lock.ts";
import { commitOf, machineOf } from "./machine.ts";
import { cacheFolder, open } from "./open-recipe.ts";
import type { Preparation } from "./prepare.ts";
import { firstEvaluationSeed, type MeasureOptions, measure, type ProtocolResult } from "./protocol.ts";
import { counted, type Result, readResult, writeResult } from "./result.ts";
import { recordedTestbed, testbedRecord } from "./testbed-record.ts";
import { verify } from "./verify.ts";
import { type PerformOptions, trialRunner } from "./workshop.ts";

/** Findings, and the result if one was recorded. */
export interface MeasuredRecipe extends ProtocolResult {
  readonly recipe: Recipe;
  readonly result?: Result;
}

/** Measures a recipe of the book and records the result. Quick trials are not recorded. */
export async function measureRecipe(
  book: string,
  id: string,
  options: PerformOptions = {},
): Promise<MeasuredRecipe> {
  const { file, built, recipe } = await open(book, id);
  const work = trialRunner(book, id, file, built, recipe, options);
  const free = lock(join(cacheFolder(book), `${id}.lock`), `recipe ${id}`);
  try {
    const before = readResult(book, id);
    const code = codeOf(file);
    if (options.another && !before)
      fail(`recipe ${id}`, `no result is recorded. Measure it with reins recipes run ${id}.`);
    if (before && !options.quick && !options.another && options.because === undefined)
      fail(
        `recipe ${id}`,
        sameCode(before.code, code)
          ? "it is already measured and unchanged. reins recipes run --another adds a block of seeds."
          : `it is already measured. reins recipes verify ${id} checks it; to measure it again, give a reason: --because WORDS.`,
      );
    if (before && options.another && !sameCode(before.code, code)) await sameStill(book, id, options);
    // The commit at the start, regardless of what is checked out at the end.
    const measuredAt = commitOf(book);
    const begun = work.journal.overtaken.map((job) => job.seed).filter((seed) => seed >= firstEvaluationSeed);
    const block = nextBlock(readHistory(book, id), before, begun);
    const on = recipe.on && !options.quick ? recordedTestbed(book, recipe) : undefined;
    const findings = await measure(recipe, work.run, {
      quick: options.quick,
      on,
      whole: options.whole,
      ...plannedBlocks(recipe, block, before, options),
    });
    const performed = { ...findings, recipe };
    if (options.quick) return performed;
    if (!sameCode(code, codeOf(file)))
      fail(
        `recipe ${id}`,
        "its code changed during the measurement. Build the original code and run it again; finished runs are kept.",
      );
    const result = options.another
      ? { ...before!, blocks: [...before!.blocks, ...findings.blocks] }
      : resultOf(recipe, findings, {
          ...work.spent(),
          measuredAt,
          machine: machineOf(findings.blocks[0].backend, options.versions),
          code: recordedCode(code),
          ...(on && { on: { id: on.id, version: on.testbed.version } }),
        });
    if (begun.length) recordUnfinished(book, id, begun);
    if (before && !options.another) archiveResult(book, before, options.because!);
    writeResult(book, result);
    work.journal.remove();
    return { ...performed, result };
  } finally {
    await work.close();
    free();
  }
}

/** An additional block checks a result only if it measures the same recipe: a changed recipe must still give the recorded numbers. */
async function sameStill(book: string, id: string, { jobs, stop }: PerformOptions): Promise<void> {
  const found = await verify(book, id, { jobs, stop });
  if (found?.how === "moved")
    fail(
      `recipe ${id}`,
      "it has changed since its measurement and gives other numbers, so a further block would not check it. To measure it again, give a reason: --because WORDS.",
    );
}

/** An additional block has the settings and the size of the previous ones. */
const plannedBlocks = (
  recipe: Recipe,
  block: number,
  before: Result | undefined,
  { another, quick }: PerformOptions,
): MeasureOptions =>
  another && before
    ? { block, blocks: 1, prepared: preparedOf(recipe, before) }
    : { block, blocks: quick ? 1 : counted };

const preparedOf = (recipe: Recipe, { settings, tuning, best, plan }: Result): Preparation => ({
  settings: armsOf(recipe).map((s) => settings[s.name]),
  tuning,
  best,
  plan,
});

function resultOf(
  recipe: Recipe,
  { judged, settings, tuning, plan, best, blocks, pilot, continuation }: ProtocolResult,
  rest: Pick<Result, "wallSeconds" | "processorSeconds" | "measuredAt" | "machine" | "code" | "on">,
): Result {
  const { id, claims, metrics, system, baselines, budget } = recipe;
  return {
    id,
    claims,
    metrics,
    system: system.name,
    baselines: baselines.map((b) => b.name),
    ...(best !== undefined && { best }),
    ...(recipe.tuneOn !== undefined && { tuned: recipe.tuneOn }),
    judged,
    settings: Object.fromEntries(armsOf(recipe).map((s, i) => [s.name, settings[i]])),
    tuning,
    plan,
    blocks,
    budget: { unit: budget.unit, full: budget.full },
    ...(continuation && { continuation }),
    ...(pilot && { testbed: testbedRecord(recipe, pilot) }),
    ...rest,
  };
}
