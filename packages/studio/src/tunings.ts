import { Hono } from "hono";
import { RunsFolder } from "./folder.ts";
import { jsonSafe } from "./json-safe.ts";
import { KnownFiles } from "./known-files.ts";
import type { StudioParts } from "./parts.ts";
import { Refusal } from "./refusal.ts";
import { isBounds } from "./return-bounds.ts";
import { TuningLog, type TuningPiece, type TuningPlan } from "./tuning-log.ts";
import type {
  TuningDetail,
  TuningLine,
  TuningListing,
  TuningResult,
  TuningTest,
  TuningTrial,
} from "./tuning-wire.ts";

/** The summary of a search. */
type Best = Pick<TuningDetail, "command" | "test" | "importance"> & {
  readonly returnBounds?: unknown;
};

/** The tuning routes. */
export function tuningRoutes(parts: StudioParts): Hono {
  const folder = new RunsFolder(parts.tunings ?? "tuning");
  const logs = new KnownFiles(folder, "journal.jsonl", () => new TuningLog());
  const app = new Hono();
  app.get("/", async (c) => {
    const tunings: TuningLine[] = [];
    for (const name of await folder.names()) {
      // Links are left out.
      const { plan, pieces } = await logs.of(name).catch(() => new TuningLog());
      if (plan) tunings.push(lineOf(name, plan, trialsOf(plan, pieces), await folder.has(name, "best.json")));
    }
    return c.json({ root: folder.root, tunings } satisfies TuningListing);
  });
  app.get("/:name", async (c) => {
    const name = c.req.param("name");
    const { plan, pieces } = await logs.of(name);
    if (!plan) throw new Refusal(404, `${name} contains no hyperparameter search (no journal)`);
    const command = (settings: TuningPiece["raw"]) => parts.trainCommand?.(plan.setup, settings);
    const results = trialsOf(plan, pieces, command);
    const { command: best, test, importance } = await bestOf(folder, name);
    const bestTrial = bestIn(plan, results);
    return c.json({
      ...lineOf(name, plan, results, best !== undefined),
      ...{ space: plan.space, seeds: plan.seeds, results },
      ...(bestTrial ? { bestTrial: bestTrial.trial } : {}),
      ...(best === undefined ? {} : { command: best }),
      ...(test ? { test } : {}),
      ...(importance ? { importance } : {}),
    } satisfies TuningDetail);
  });
  return app;
}

function lineOf(
  name: string,
  plan: TuningPlan,
  results: readonly TuningTrial[],
  finished: boolean,
): TuningLine {
  const { method, steps, trials, setup } = plan;
  return {
    ...{ name, method, steps, trials, finished, tried: results.length },
    ...{ algorithm: String(setup.algorithm), env: String(setup.env) },
    best: bestIn(plan, results)?.score ?? null,
  };
}

/** Trials with their results. Population-based training has one training per trial, other methods one per seed. */
function trialsOf(
  { method, seeds }: TuningPlan,
  pieces: readonly TuningPiece[],
  command: (settings: TuningPiece["raw"]) => string | undefined = () => undefined,
): TuningTrial[] {
  const needed = method === "pbt" ? 1 : seeds.length;
  const trials = new Map<number, Map<number, TuningPiece[]>>();
  for (const piece of pieces) {
    const rungs = trials.get(piece.trial) ?? new Map<number, TuningPiece[]>();
    trials.set(piece.trial, rungs.set(piece.rung, [...(rungs.get(piece.rung) ?? []), piece]));
  }
  const resultOf = (all: readonly TuningPiece[]): TuningResult => {
    const [{ steps, settings, raw }] = all;
    const scores = all.map(({ score }) => score);
    const known = scores.filter((score) => score !== null);
    const failed = all.find((piece) => piece.failed !== undefined)?.failed;
    const typed = command(raw);
    return {
      ...{ steps, settings, scores },
      score: known.length === needed ? known.reduce((a, b) => a + b, 0) / needed : null,
      ...(failed === undefined ? {} : { failed }),
      ...(typed === undefined ? {} : { command: typed }),
    };
  };
  return [...trials]
    .sort(([a], [b]) => a - b)
    .map(([trial, rungs]) => ({
      trial,
      results: [...rungs].sort(([a], [b]) => a - b).map(([, all]) => resultOf(all)),
    }));
}

/** The best fully trained trial; ties go to the earlier one. */
function bestIn(
  { steps }: TuningPlan,
  trials: readonly TuningTrial[],
): { trial: number; score: number } | undefined {
  const ended = trials.flatMap(({ trial, results }) =>
    results.flatMap((result) =>
      result.steps >= steps && result.score !== null ? [{ trial, score: result.score }] : [],
    ),
  );
  return ended.sort((a, b) => b.score - a.score || a.trial - b.trial)[0];
}

/** The summary of a search; empty if it is missing or damaged. Intervals are clipped to the bounds of the return. */
async function bestOf(folder: RunsFolder, name: string): Promise<Best> {
  const text = await folder.textOf(name, "best.json");
  try {
    const { command, test, importance, returnBounds } = jsonSafe(JSON.parse(text ?? "{}")) as Best;
    const isRight = (t?: TuningTest) => Array.isArray(t?.interval) && Array.isArray(t.scores);
    return {
      ...(typeof command === "string" ? { command } : {}),
      ...(test && isRight(test.best) && isRight(test.plain)
        ? { test: { best: bounded(test.best, returnBounds), plain: bounded(test.plain, returnBounds) } }
        : {}),
      ...(importance ? { importance } : {}),
    };
  } catch {
    return {};
  }
}

const bounded = (test: TuningTest, bounds: Best["returnBounds"]): TuningTest => {
  const [low, high] = test.interval;
  if (!isBounds(bounds) || low === null || high === null) return test;
  return { ...test, interval: [Math.max(low, bounds[0]), Math.min(high, bounds[1])] };
};
