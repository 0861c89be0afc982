import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { forkedWorker, Journal, runTasks } from "@reins/recipes/jobs";
import { listenForInterrupt } from "../../../reins/dist/cli/interrupt.js";
import { chosen, readArguments } from "../arguments.ts";
import type { Done, Job } from "./job.ts";
import { lowest, measuredOf, reportedJobs, trialsOf, uncertain } from "./outcome.ts";
import { pageOf } from "./page.ts";
import { type Contest, contests } from "./plan.ts";

export const preferencesHelp = `npm run bench -- preferences [options]

Methods that learn from comparisons, on completions with a known utility: each continues from the same SFT model with
the same budget. Learning rate and strength are chosen on seeds 0 to 3; five other seeds are reported. Results are kept
in results/preferences.jsonl; an interrupted measurement continues. Writes docs/algorithms/preference-scores.md.

  --only a,b        measure only these methods
  --jobs n          runs at a time (default: the number of cores)
  --table           measure nothing: write and print the page of the recorded results`;

/** Measures missing results, and writes and prints the page. */
export async function preferencesSuite(args: readonly string[]): Promise<void> {
  const say = (text: string) => process.stdout.write(`${text}\n`);
  const given = readArguments(args, ["--only", "--jobs"], ["--table"]);
  const names = chosen(
    given,
    "--only",
    contests.map(({ method }) => method),
  );
  const jobs = Number(given.values.get("--jobs") ?? availableParallelism());
  if (!Number.isInteger(jobs) || jobs < 1)
    throw new Error(`--jobs ${given.values.get("--jobs")}: use a whole number of at least 1.`);
  const journal = new Journal<Job, Done>(join(process.cwd(), "results/preferences.jsonl"));
  const wanted = contests.filter(({ method }) => names.includes(method));
  if (!given.flags.has("--table"))
    for (const part of [trialsOf, (contest: Contest) => reportedJobs(contest, journal)])
      await measure(
        wanted.flatMap(part).filter((job) => !journal.find(job)),
        { jobs, journal, say },
      );
  if (!given.flags.has("--table"))
    await measure(
      uncertain(wanted, journal)
        .flatMap((contest) => reportedJobs(contest, journal, lowest))
        .filter((job) => !journal.find(job)),
      { jobs, journal, say },
    );
  const text = pageOf(
    contests.flatMap((contest) => measuredOf(contest, journal)),
    uncertain(contests, journal).flatMap((contest) => measuredOf(contest, journal, lowest)),
  );
  writeFileSync(join(process.cwd(), "docs/algorithms/preference-scores.md"), text);
  say(text);
}

/** Runs jobs and records their results. An interrupt ends the program. */
async function measure(
  wanted: readonly Job[],
  {
    jobs,
    journal,
    say,
  }: { readonly jobs: number; readonly journal: Journal<Job, Done>; say(text: string): void },
): Promise<void> {
  const interrupt = listenForInterrupt();
  const file = fileURLToPath(new URL("child.js", import.meta.url));
  const failures = await runTasks<Job, Done>(wanted, {
    worker: () => forkedWorker(file, { env: { REINS_THREADS: "1", REINS_QUIET: "1" } }),
    jobs,
    stop: () => interrupt.code !== undefined,
    strict: true,
    done({ task, result, count, total }) {
      journal.add(task, result);
      say(
        `${count}/${total} ${task.method} ${JSON.stringify(task.options)} seed ${task.seed}: ${result.start.toFixed(3)} → ${result.end.toFixed(3)}`,
      );
    },
  });
  interrupt.off();
  if (interrupt.code !== undefined) process.exit(interrupt.code);
  const [failure] = failures;
  if (failure) throw new Error(`${failure.task.method} seed ${failure.task.seed}: ${failure.message}`);
}
