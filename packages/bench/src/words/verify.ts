import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Job } from "./job.ts";
import { Journal, performAll } from "./jobs.ts";

/** Runs jobs again that are in the journal, and says which of them do not give the recorded numbers to the last bit. */
export async function verifyJobs(
  jobs: readonly Job[],
  recorded: Journal,
  say: (text: string) => void,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "reins-words-"));
  try {
    const again = new Journal(join(folder, "again.json"));
    const known = jobs.filter((j) => recorded.get(j));
    await performAll(known, again, say);
    const moved = known.filter((job) => {
      const [a, b] = [recorded.get(job)!, again.get(job)!];
      return a.start !== b.start || a.curve.some((x, i) => x !== b.curve[i]);
    });
    for (const { task, method, options } of moved)
      say(`moved: ${task.family} ${method} ${JSON.stringify(options)}`);
    say(`${known.length - moved.length} of ${known.length} give the recorded numbers to the last bit.`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
