import { join } from "node:path";
import { Journal } from "@reins/recipes/jobs";
import { short } from "../terminal/words.ts";
import { found } from "./found.ts";
import type { Plan, Told } from "./search.ts";
import { type Kept, pieceWorker, type TuneOptions, within } from "./tune.ts";
import type { Work } from "./work.ts";

/** Seeds of tests begin here: tuning has none of them. */
const firstTestSeed = 100;

/** Scores of the best settings and of those without tuning, with the same seeds. */
export interface Tests {
  readonly best: readonly number[];
  readonly plain: readonly number[];
}

/** Trains the best settings, and those without tuning, with seeds that the search has not seen. */
export async function tested(
  plan: Plan,
  told: readonly Told[],
  { method, setup, folder, jobs, timeout, stop }: Omit<TuneOptions, "done" | "resumed">,
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
