import type { Journal } from "@reins/recipes/jobs";
import type { Done, Job } from "./job.ts";
import { performAll } from "./jobs.ts";

/** Runs recorded jobs again, and lists those that do not reproduce the recorded numbers bit for bit. */
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
  say(`${known.length - moved.length} of ${known.length} reproduce the recorded numbers bit for bit.`);
}
