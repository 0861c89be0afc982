import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type AlgorithmMaker, type EnvSpec, estimate } from "@reins/core";
import { showSetting } from "../cli/show-setting.ts";
import { table } from "../terminal/table.ts";
import { compact, estimateText, short } from "../terminal/words.ts";
import { bestTrial, found } from "./found.ts";
import { comparedAt, mattered, matteredWords } from "./mattered.ts";
import { matteredPicture } from "./picture.ts";
import { lineOf } from "./population.ts";
import { type Plan, ranked, scored, type Told } from "./search.ts";
import type { SearchName } from "./searches.ts";
import type { Tests } from "./tested.ts";
import { trainCommand } from "./train-command.ts";
import type { TuneOptions } from "./tune.ts";

/** What is said at the end, and written down. */
export function report(
  plan: Plan,
  told: readonly Told[],
  tests: Tests | undefined,
  {
    method,
    setup,
    folder,
    returnBounds,
  }: Pick<TuneOptions, "method" | "setup" | "folder"> & Pick<EnvSpec, "returnBounds">,
  maker: AlgorithmMaker,
): { readonly lines: string[]; readonly json: object; readonly code: number } {
  const settings = found(plan, told, method);
  const failed = told.filter((t) => !Number.isFinite(t.score)).length;
  if (!settings)
    return {
      lines: [
        `No trial came to the end: ${failed} of ${told.length} pieces failed. Typed again, the command tries them again.`,
      ],
      json: { best: null, failed },
      code: 1,
    };
  const what = mattered(plan, told);
  const { name } = maker.definition;
  const command = trainCommand(setup, settings);
  const ends = ranked(
    scored(method === "pbt" ? { ...plan, seeds: [0] } : plan, told).filter((s) => Number.isFinite(s.score)),
  ).filter((s) =>
    told.some((t) => t.piece.trial === s.trial && t.piece.rung === s.rung && t.piece.to >= plan.steps),
  );
  const results = tests && {
    best: summaryOf(tests.best, returnBounds),
    plain: summaryOf(tests.plain, returnBounds),
  };
  mkdirSync(folder, { recursive: true });
  const json = {
    settings,
    command,
    tuning: ends[0]?.score,
    ...(results && { test: results }),
    ...(returnBounds && { returnBounds }),
    failed,
    mattered: Object.fromEntries(what.map((m) => [m.dimension.name, m.share ?? null])),
  };
  writeFileSync(join(folder, "best.json"), `${JSON.stringify(json, null, 2)}\n`);
  const title = `${name} on ${setup.env}: ${plan.trials} trials by ${method}`;
  const picture = join(folder, "mattered.svg");
  writeFileSync(picture, matteredPicture(plan, told, { title, chosen: chosenOf(plan, told, method) }));
  const after = comparedAt(plan, told);
  const cells = ends
    .slice(0, 5)
    .map((s) => [`${s.trial}`, short(s.score), ...plan.space.map((d) => showSetting(s.settings[d.name]))]);
  return {
    json,
    code: 0,
    lines: [
      "",
      ...table(["trial", "return", ...plan.space.map((d) => d.name)], cells),
      "",
      `What mattered${after < plan.steps ? ` after ${compact(after)} steps` : ""}: ${matteredWords(what)}   ${picture}`,
      ...(failed ? [`${failed} of ${told.length} pieces failed; they count as the worst.`] : []),
      ...(tests && results
        ? [
            `On seeds that the search did not see: ${said(results.best)} with these settings, ${said(results.plain)} without tuning.`,
            ...(results.best.mean > results.plain.mean ? [] : [notBetter]),
          ]
        : []),
      command,
    ],
  };
}

/** The trial whose settings were chosen, and what the picture says of it. */
function chosenOf(plan: Plan, told: readonly Told[], method: SearchName) {
  const best = bestTrial(plan, told, method);
  if (!best) return undefined;
  const end = `return ${short(best.score)} after ${compact(plan.steps)} steps`;
  if (method !== "pbt") return { trial: best.trial, words: `the chosen settings: ${end}` };
  // Of a population, the picture shows the first generation.
  const [{ trial }] = lineOf(told, best.trial);
  return { trial, words: `where the chosen course of settings began: ${end}` };
}

/** The line where the best trial does not hold up on the test seeds. */
const notBetter =
  "Tuning did not help: these settings are not better on the test seeds. Raise --trials, --tuning-seeds or --steps.";

function summaryOf(scores: readonly number[], bounds: EnvSpec["returnBounds"]) {
  if (scores.length === 0)
    return { mean: Number.NaN, std: Number.NaN, interval: [Number.NaN, Number.NaN] as const, scores };
  const { mean, std, interval } = estimate(scores, bounds);
  return { mean, std, interval, scores };
}

const said = ({ mean, std, interval, scores }: ReturnType<typeof summaryOf>) =>
  scores.length > 1 ? estimateText({ mean, std, interval }) : short(mean);
