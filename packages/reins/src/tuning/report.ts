import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type AlgorithmMaker, estimate, signals } from "@reins/core";
import { Journal } from "@reins/recipes/jobs";
import { showSetting } from "../cli/show-setting.ts";
import { flagOf } from "../cli/training-flags.ts";
import { table } from "../terminal/table.ts";
import { short } from "../terminal/words.ts";
import { mattered, matteredText } from "./mattered.ts";
import { matteredPicture } from "./picture.ts";
import { generations, lineOf } from "./population.ts";
import { bestOf, type Plan, ranked, scored, type Told } from "./search.ts";
import type { Settings } from "./space.ts";
import { type Kept, pieceWorker, type TuneOptions, within } from "./tune.ts";
import type { Work } from "./work.ts";

/** Seeds of tests begin here: tuning has none of them. */
const firstTestSeed = 100;

/** Scores of the best settings and of those without tuning, with the same seeds. */
export interface Tests {
  readonly best: readonly number[];
  readonly plain: readonly number[];
}

type Options = Omit<TuneOptions, "done" | "resumed">;

/** The settings to take: those of the best trial; of a population the course that led to it. */
export function found(plan: Plan, told: readonly Told[], method: Options["method"]): Settings | undefined {
  if (method !== "pbt") return bestOf(plan, told)?.settings;
  const last = bestOf({ ...plan, seeds: [0] }, told);
  if (!last) return undefined;
  const line = lineOf(told, last.trial);
  return Object.fromEntries(plan.space.map(({ name }) => [name, courseOf(line.map((s) => s[name]))]));
}

/** A setting that had these values, one in each generation: steps at their borders. What is no number is as it was at the end. */
function courseOf(values: readonly unknown[]): unknown {
  const last = values.at(-1);
  if (values.every((v) => v === last) || !values.every((v) => typeof v === "number")) return last;
  const points = values.flatMap((v, i): (readonly [number, number])[] => [
    [i / generations, v as number],
    [(i + 1) / generations, v as number],
  ]);
  return signals.piecewise(...points);
}

/** Trains the best settings, and those without tuning, with seeds that the search has not seen. */
export async function tested(
  plan: Plan,
  told: readonly Told[],
  { method, setup, folder, jobs, timeout, stop }: Options,
  count: number,
  say: (line: string) => void,
): Promise<Tests | undefined> {
  const settings = found(plan, told, method);
  if (!settings || count === 0) return undefined;
  const stamp = JSON.stringify([method, plan, setup]);
  const journal = new Journal<Work, Kept>(join(folder, "tests.jsonl"), stamp);
  const seeds = Array.from({ length: count }, (_, i) => firstTestSeed + i);
  const sides = { best: settings, plain: {} };
  const works = seeds.flatMap((seed) =>
    Object.entries(sides).map(
      ([side, s]): Work => ({
        seed,
        settings: s,
        to: plan.steps,
        ...(side === "best" && { folder: join(folder, "best", `seed-${seed}`) }),
      }),
    ),
  );
  const isDone = (work: Work) => !("failed" in (journal.find(work) ?? { failed: "" }));
  const waiting = works.filter((w) => !isDone(w));
  if (waiting.length < works.length)
    say(`${works.length - waiting.length} of ${works.length} tests are done already.`);
  const lane = async () => {
    const worker = pieceWorker(setup);
    const watch = setInterval(() => stop() && worker.end(), 100);
    try {
      for (let work = waiting.shift(); work && !stop(); work = waiting.shift()) {
        const kept = await within(timeout, worker, work);
        if (stop()) return;
        journal.add(work, kept);
        const what =
          "failed" in kept ? `failed: ${kept.failed.split("\n")[0]}` : `return ${short(kept.score)}`;
        say(`test, seed ${work.seed}, ${work.folder ? "best settings" : "without tuning"}   ${what}`);
      }
    } finally {
      clearInterval(watch);
      await worker.end();
    }
  };
  await Promise.all(Array.from({ length: jobs }, lane));
  const scores = (side: keyof Tests) =>
    works
      .filter((w) => (w.folder !== undefined) === (side === "best"))
      .flatMap((w) => {
        const kept = journal.find(w);
        return kept && !("failed" in kept) ? [kept.score] : [];
      });
  return { best: scores("best"), plain: scores("plain") };
}

/** What is said at the end, and written down. */
export function report(
  plan: Plan,
  told: readonly Told[],
  tests: Tests | undefined,
  { method, setup, folder }: Options,
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
  const flags = Object.entries({ ...setup.typed, ...settings }).map(
    ([option, value]) => `--${flagOf(name, option)} "${showSetting(value)}"`,
  );
  const command = ["reins train", name, setup.env, `--steps ${plan.steps}`, ...flags].join(" ");
  const ends = ranked(
    scored(method === "pbt" ? { ...plan, seeds: [0] } : plan, told).filter((s) => Number.isFinite(s.score)),
  ).filter((s) =>
    told.some((t) => t.piece.trial === s.trial && t.piece.rung === s.rung && t.piece.to >= plan.steps),
  );
  const results = tests && {
    best: summaryOf(tests.best),
    plain: summaryOf(tests.plain),
  };
  mkdirSync(folder, { recursive: true });
  const json = {
    settings,
    command,
    tuning: ends[0]?.score,
    ...(results && { test: results }),
    failed,
    mattered: Object.fromEntries(what.map((m) => [m.dimension.name, m.share])),
  };
  writeFileSync(join(folder, "best.json"), `${JSON.stringify(json, null, 2)}\n`);
  const title = `${name} on ${setup.env}: ${plan.trials} trials by ${method}`;
  const picture = join(folder, "mattered.svg");
  writeFileSync(picture, matteredPicture(plan, told, title));
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
      `What mattered: ${what.map(matteredText).join("; ")}   ${picture}`,
      ...(failed ? [`${failed} of ${told.length} pieces failed; they count as the worst.`] : []),
      ...(tests && results
        ? [
            `On seeds that the search did not see: ${said(results.best)} with these settings, ${said(results.plain)} without tuning.`,
          ]
        : []),
      command,
    ],
  };
}

function summaryOf(scores: readonly number[]) {
  if (scores.length === 0) return { mean: Number.NaN, interval: [Number.NaN, Number.NaN], scores };
  const { mean, interval } = estimate(scores);
  return { mean, interval, scores };
}

const said = ({ mean, interval, scores }: ReturnType<typeof summaryOf>) =>
  scores.length > 1 ? `${short(mean)} (${short(interval[0])} to ${short(interval[1])})` : short(mean);
