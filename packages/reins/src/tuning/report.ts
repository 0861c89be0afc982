import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AlgorithmMaker, EnvSpec } from "@reins/core";
import { estimate } from "@reins/core/evaluations";
import { showSetting } from "../cli/show-setting.ts";
import { compact, estimateText, short } from "../terminal/format.ts";
import { table } from "../terminal/table.ts";
import { bestSettings, bestTrial } from "./best-settings.ts";
import { comparedAt, importances, importancesText } from "./importance.ts";
import { importancePlot } from "./importance-plot.ts";
import { lineageOf } from "./population.ts";
import { type PieceResult, rank, type SearchPlan, scoredTrials } from "./search.ts";
import type { SearchName } from "./searches.ts";
import type { Tests } from "./test-runs.ts";
import { trainCommand } from "./train-command.ts";
import type { TuneOptions } from "./tune.ts";

/** Writes best.json and the plot, and returns the printed report. */
export function report(
  plan: SearchPlan,
  results: readonly PieceResult[],
  tests: Tests | undefined,
  {
    method,
    setup,
    folder,
    returnBounds,
  }: Pick<TuneOptions, "method" | "setup" | "folder"> & Pick<EnvSpec, "returnBounds">,
  maker: AlgorithmMaker,
): { readonly lines: string[]; readonly json: object; readonly code: number } {
  const settings = bestSettings(plan, results, method);
  const failed = results.filter((t) => !Number.isFinite(t.score)).length;
  if (!settings)
    return {
      lines: [
        `No trial finished: ${failed} of ${results.length} training jobs failed. Run the same command to retry them.`,
      ],
      json: { best: null, failed },
      code: 1,
    };
  const importance = importances(plan, results);
  const { name } = maker.definition;
  const command = trainCommand(setup, settings);
  const ends = rank(
    scoredTrials(method === "pbt" ? { ...plan, seeds: [0] } : plan, results).filter((s) =>
      Number.isFinite(s.score),
    ),
  ).filter((s) =>
    results.some((t) => t.piece.trial === s.trial && t.piece.rung === s.rung && t.piece.to >= plan.steps),
  );
  const testResults = tests && {
    best: summaryOf(tests.best, returnBounds),
    plain: summaryOf(tests.plain, returnBounds),
    ...(tests.failed && { failed: tests.failed }),
  };
  mkdirSync(folder, { recursive: true });
  const json = {
    settings,
    command,
    tuning: ends[0]?.score,
    ...(testResults && { test: testResults }),
    ...(returnBounds && { returnBounds }),
    failed,
    importance: Object.fromEntries(importance.map((m) => [m.dimension.name, m.share ?? null])),
  };
  writeFileSync(join(folder, "best.json"), `${JSON.stringify(json, null, 2)}\n`);
  const title = `${name} on ${setup.env}: ${plan.trials} trials by ${method}`;
  const plotFile = join(folder, "importance.svg");
  writeFileSync(plotFile, importancePlot(plan, results, { title, chosen: chosenOf(plan, results, method) }));
  const after = comparedAt(plan, results);
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
      `Importance of settings${after < plan.steps ? ` after ${compact(after)} steps` : ""}: ${importancesText(importance)}   ${plotFile}`,
      ...(failed ? [`${failed} of ${results.length} training jobs failed and count as the worst.`] : []),
      ...(tests && testResults
        ? [
            `On test seeds: ${scoreText(testResults.best)} with these settings, ${scoreText(testResults.plain)} without tuning.`,
            ...failedText(tests),
            ...(testResults.best.mean > testResults.plain.mean ? [] : [notBetter]),
          ]
        : []),
      command,
    ],
  };
}

/** The trial whose settings were chosen, and its label in the plot. */
function chosenOf(plan: SearchPlan, results: readonly PieceResult[], method: SearchName) {
  const best = bestTrial(plan, results, method);
  if (!best) return undefined;
  const end = `return ${short(best.score)} after ${compact(plan.steps)} steps`;
  if (method !== "pbt") return { trial: best.trial, words: `chosen settings: ${end}` };
  // The plot of a population shows the first generation.
  const [{ trial }] = lineageOf(results, best.trial);
  return { trial, words: `start of the chosen schedule: ${end}` };
}

/** Printed if tests failed: the means are of the other seeds. */
function failedText({ best, plain, failed }: Tests): string[] {
  if (!failed?.best && !failed?.plain) return [];
  const part = (count: number, scores: readonly number[]) => `${count} of ${count + scores.length}`;
  return [
    `${part(failed.best, best)} tests with these settings and ${part(failed.plain, plain)} without tuning failed, and are not in these means. Run the same command to retry them.`,
  ];
}

/** Printed if the best trial is not better on the test seeds. */
const notBetter =
  "Tuning did not help: these settings are not better on the test seeds. Raise --trials, --tuning-seeds or --steps.";

function summaryOf(scores: readonly number[], bounds: EnvSpec["returnBounds"]) {
  if (scores.length === 0)
    return { mean: Number.NaN, std: Number.NaN, interval: [Number.NaN, Number.NaN] as const, scores };
  const { mean, std, interval } = estimate(scores, bounds);
  return { mean, std, interval, scores };
}

const scoreText = ({ mean, std, interval, scores }: ReturnType<typeof summaryOf>) =>
  scores.length > 1 ? estimateText({ mean, std, interval }) : short(mean);
