import { join } from "node:path";
import { fail } from "@reins/core";
import { type Recipe, sidesOf } from "../recipe.ts";
import { codeOf, sameCode } from "./code.ts";
import { abandon, nextBlock, readHistory, retire } from "./history.ts";
import { lock } from "./lock.ts";
import { commitOf, machineOf } from "./machine.ts";
import { cacheFolder, open } from "./open.ts";
import type { Prepared } from "./prepare.ts";
import { type Findings, firstEvaluationSeed, type MeasureOptions, measure } from "./protocol.ts";
import { counted, type Result, readResult, writeResult } from "./result.ts";
import { verify } from "./verify.ts";
import { type PerformOptions, workshop } from "./workshop.ts";

/** Findings, and the result if one was recorded. */
export interface Performed extends Findings {
  readonly recipe: Recipe;
  readonly result?: Result;
}

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
    if (before && options.another && !sameCode(before.code, code)) await sameStill(book, id, options);
    // Of what it was measured with, whatever is checked out when it ends.
    const measuredAt = commitOf(book);
    const begun = work.journal.overtaken.map((job) => job.seed).filter((seed) => seed >= firstEvaluationSeed);
    const block = nextBlock(readHistory(book, id), before, begun);
    const findings = await measure(recipe, work.run, {
      quick: options.quick,
      ...plannedBlocks(recipe, block, before, options),
    });
    const performed = { ...findings, recipe };
    if (options.quick) return performed;
    if (!sameCode(code, codeOf(file)))
      fail(
        `recipe ${id}`,
        "its code changed while it was measured. Build what it began with and run it again: what is done is kept.",
      );
    const result = options.another
      ? { ...before!, blocks: [...before!.blocks, ...findings.blocks] }
      : resultOf(recipe, findings, {
          ...work.spent(),
          measuredAt,
          machine: machineOf(findings.blocks[0].backend, options.versions),
          code,
        });
    if (begun.length) abandon(book, id, begun);
    if (before && !options.another) retire(book, before, options.because!);
    writeResult(book, result);
    work.journal.remove();
    return { ...performed, result };
  } finally {
    await work.close();
    free();
  }
}

/** One more block checks a result only where it is of the same thing: a recipe that changed must still give the recorded numbers. */
async function sameStill(book: string, id: string, { jobs, stop }: PerformOptions): Promise<void> {
  const found = await verify(book, id, { jobs, stop });
  if (found?.how === "moved")
    fail(
      `recipe ${id}`,
      "it changed since it was measured and gives other numbers, so one more block would be of something else. To measure it anew say why: --because WORDS.",
    );
}

/** One more block has the settings and the size of those before it. */
const plannedBlocks = (
  recipe: Recipe,
  block: number,
  before: Result | undefined,
  { another, quick }: PerformOptions,
): MeasureOptions =>
  another && before
    ? { block, blocks: 1, prepared: preparedOf(recipe, before) }
    : { block, blocks: quick ? 1 : counted };

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
    ...(recipe.tuneOn !== undefined && { tuned: recipe.tuneOn }),
    judged,
    settings: Object.fromEntries(sidesOf(recipe).map((s, i) => [s.name, settings[i]])),
    tuning,
    plan,
    blocks,
    budget: { unit: budget.unit, full: budget.full },
    ...rest,
  };
}
