import { join } from "node:path";
import { Journal } from "@reins/recipes/jobs";
import { short } from "../terminal/format.ts";
import { bestSettings } from "./best-settings.ts";
import type { PieceResult, SearchPlan } from "./search.ts";
import { pieceWorker, type TuneOptions, type WorkOutcome, within } from "./tune.ts";
import type { Work } from "./work.ts";

/** First test seed; tuning seeds are smaller. */
const firstTestSeed = 100;

/** Scores of the best settings and of the settings without tuning, on the same seeds. */
export interface Tests {
  readonly best: readonly number[];
  readonly plain: readonly number[];
  /** Failed tests, which have no score. */
  readonly failed?: { readonly [arm in "best" | "plain"]: number };
}

/** Trains the best settings and the settings without tuning on test seeds. */
export async function testRuns(
  plan: SearchPlan,
  results: readonly PieceResult[],
  { method, setup, folder, jobs, timeout, stop }: Omit<TuneOptions, "done" | "resumed">,
  count: number,
  say: (line: string) => void,
): Promise<Tests | undefined> {
  const settings = bestSettings(plan, results, method);
  if (!settings || count === 0) return undefined;
  const stamp = JSON.stringify([method, plan, setup]);
  const journal = new Journal<Work, WorkOutcome>(join(folder, "tests.jsonl"), stamp);
  const seeds = Array.from({ length: count }, (_, i) => firstTestSeed + i);
  const arms = { best: settings, plain: {} };
  const works = seeds.flatMap((seed) =>
    Object.entries(arms).map(
      ([arm, s]): Work => ({
        seed,
        settings: s,
        to: plan.steps,
        ...(arm === "best" && { folder: join(folder, "best", `seed-${seed}`) }),
      }),
    ),
  );
  const isDone = (work: Work) => !("failed" in (journal.find(work) ?? { failed: "" }));
  const waiting = works.filter((w) => !isDone(w));
  if (waiting.length < works.length)
    say(`${works.length - waiting.length} of ${works.length} tests are already done.`);
  const runWorker = async () => {
    const worker = pieceWorker(setup);
    const watch = setInterval(() => stop() && worker.end(), 100);
    try {
      for (let work = waiting.shift(); work && !stop(); work = waiting.shift()) {
        const outcome = await within(timeout, worker, work);
        if (stop()) return;
        journal.add(work, outcome);
        const what =
          "failed" in outcome ? `failed: ${outcome.failed.split("\n")[0]}` : `return ${short(outcome.score)}`;
        say(`test, seed ${work.seed}, ${work.folder ? "best settings" : "without tuning"}   ${what}`);
      }
    } finally {
      clearInterval(watch);
      await worker.end();
    }
  };
  await Promise.all(Array.from({ length: jobs }, runWorker));
  const scores = (arm: keyof typeof arms) =>
    works
      .filter((w) => (w.folder !== undefined) === (arm === "best"))
      .flatMap((w) => {
        const outcome = journal.find(w);
        return outcome && !("failed" in outcome) ? [outcome.score] : [];
      });
  const [best, plain] = [scores("best"), scores("plain")];
  return { best, plain, failed: { best: count - best.length, plain: count - plain.length } };
}
