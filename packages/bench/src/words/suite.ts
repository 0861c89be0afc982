import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Journal } from "@reins/recipes/jobs";
import { machine } from "../machine.ts";
import { type Done, type Job, jobOf } from "./job.ts";
import { performAll } from "./jobs.ts";
import { last, type Measured, mean, type WordsOutcome } from "./outcome.ts";
import { pagesOf } from "./pages/index.ts";
import { type Contest, cells, comparison, everyMethod, inCell, tuning } from "./plan.ts";
import { verifyJobs } from "./verify.ts";

export const wordsHelp = `npm run bench -- words [--only tasks|methods|grid] [--verify] [--json]

Language models on held-out problems of language tasks. tasks: supervised fine-tuning, GRPO after it, and longer fine-tuning at equal compute.
methods: each method on one task. grid: the choices of GRPO. Learning rates are chosen on seeds 0 and 1, and other seeds are reported; the
grid has one learning rate. Results are kept in results/words.jsonl; an interrupted measurement continues. Writes the pages
docs/algorithms/words*.md and their plots. --verify runs the first reported seed of every result again and lists those that do not reproduce
the recorded numbers bit for bit.`;

/** Measures missing results, and writes and prints the pages. */
export async function wordsSuite(args: readonly string[]): Promise<void> {
  const say = (text: string) => process.stdout.write(`${text}\n`);
  const only = args.includes("--only") ? args[args.indexOf("--only") + 1] : undefined;
  const sections = { tasks: comparison, methods: everyMethod, grid: cells.map(inCell) };
  if (only !== undefined && !(only in sections))
    throw new Error(`--only ${only} is unknown. Use ${Object.keys(sections).join(", ")}.`);
  const journal = new Journal<Job, Done>(join(process.cwd(), "results/words.jsonl"));
  const wanted = Object.entries(sections).filter(([name]) => only === undefined || name === only);
  if (args.includes("--verify")) {
    const first = (c: Contest) => {
      const rate = bestRate(c, journal);
      return rate === undefined ? [] : [jobOf(c, rate, c.seeds[0])];
    };
    return verifyJobs(
      wanted.flatMap(([, contests]) => contests.flatMap(first)),
      journal,
      say,
    );
  }
  const measure = (jobs: readonly Job[]) =>
    performAll(
      jobs.filter((job) => !journal.find(job)),
      (job, done) => journal.add(job, done),
      say,
    );
  for (const [, contests] of wanted) {
    const trials = contests.filter((c) => c.rates.length > 1);
    await measure(trials.flatMap((c) => c.rates.flatMap((rate) => tuning.map((s) => jobOf(c, rate, s)))));
    await measure(contests.flatMap((c) => c.seeds.map((seed) => jobOf(c, bestRate(c, journal)!, seed))));
  }
  const measured = (contest: Contest): Measured[] => {
    const learningRate = bestRate(contest, journal);
    if (learningRate === undefined) return [];
    const runs = contest.seeds.flatMap((seed) => journal.find(jobOf(contest, learningRate, seed)) ?? []);
    return runs.length === contest.seeds.length ? [{ contest, learningRate, runs }] : [];
  };
  const outcome: WordsOutcome = {
    machine: machine().processor,
    tasks: comparison.flatMap(measured),
    methods: everyMethod.flatMap(measured),
    grid: cells.flatMap((cell) => measured(inCell(cell)).map((m) => ({ ...m, cell }))),
  };
  for (const [file, text] of Object.entries(pagesOf(outcome))) {
    writeFileSync(join(process.cwd(), "docs/algorithms", file), text);
    if (file.endsWith(".md")) say(text);
  }
  if (args.includes("--json")) say(JSON.stringify({ suite: "words", ...outcome }));
}

/** The best learning rate on the tuning seeds, once all are measured. */
function bestRate(contest: Contest, journal: Journal<Job, Done>): number | undefined {
  if (contest.rates.length === 1) return contest.rates[0];
  const scores = contest.rates.map((rate) => {
    const done = tuning.flatMap((seed) => journal.find(jobOf(contest, rate, seed)) ?? []);
    return done.length === tuning.length ? mean(done.map(last)) : Number.NaN;
  });
  return scores.some(Number.isNaN) ? undefined : contest.rates[scores.indexOf(Math.max(...scores))];
}
