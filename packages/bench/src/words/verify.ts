import type { Journal } from "@reins/recipes/jobs";
import type { Done, Job } from "./job.ts";
import { performAll } from "./jobs.ts";

/** Runs jobs again that are in the journal, and says which of them do not give the recorded numbers to the last bit. */
export async function verifyJobs(
  jobs: readonly Job[],
  recorded: Journal<Job, Done>,
  say: (text: string) => void,
): Promise<void> {
  const known = jobs.filter((job) => recorded.find(job));
  const moved: Job[] = [];
  const compare = (job: Job, now: Done) => {
    const { start, curve } = recorded.find(job)!;
    if (start !== now.start || curve.some((x, i) => x !== now.curve[i])) moved.push(job);
  };
  await performAll(known, compare, say);
  for (const { task, method, options } of moved)
    say(`moved: ${task.family} ${method} ${JSON.stringify(options)}`);
  say(`${known.length - moved.length} of ${known.length} give the recorded numbers to the last bit.`);
}
