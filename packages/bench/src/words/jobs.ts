import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Done, Job } from "./job.ts";

/** What was measured so far, by job. It is written after every job, so that an interrupted measurement goes on. */
export class Journal {
  private readonly path: string;
  private readonly known: Record<string, Done>;

  constructor(path: string) {
    this.path = path;
    this.known = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
  }

  get(job: Job): Done | undefined {
    return this.known[JSON.stringify(job)];
  }

  set(job: Job, done: Done): void {
    this.known[JSON.stringify(job)] = done;
    mkdirSync(dirname(this.path), { recursive: true });
    const sorted = Object.fromEntries(Object.entries(this.known).sort(([a], [b]) => (a < b ? -1 : 1)));
    writeFileSync(this.path, `${JSON.stringify(sorted, null, 1)}\n`);
  }
}

/** Performs the jobs that are not in the journal, one process a core. */
export async function performAll(
  jobs: readonly Job[],
  journal: Journal,
  say: (text: string) => void,
): Promise<void> {
  const waiting = jobs.filter((j) => !journal.get(j));
  const total = waiting.length;
  const work = async () => {
    for (let job = waiting.shift(); job; job = waiting.shift()) {
      const done = await inChild(job);
      journal.set(job, done);
      say(
        `${total - waiting.length}/${total} ${describe(job)}: ${percent(done.start)} → ${percent(done.curve.at(-1)!)}`,
      );
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
}

const percent = (x: number) => `${(100 * x).toFixed(1)}%`;
const describe = ({ task, method, options, learningRate, seed }: Job) =>
  `${task.family} ${method} ${learningRate} seed ${seed} ${JSON.stringify(options)}`;

function inChild(job: Job): Promise<Done> {
  const file = fileURLToPath(new URL("child.js", import.meta.url));
  const env = { ...process.env, REINS_THREADS: "1", REINS_QUIET: "1" };
  const child = spawn(process.execPath, [file, JSON.stringify(job)], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  let out = "";
  child.stdout.on("data", (d) => (out += d));
  return new Promise((resolve, reject) =>
    child.on("close", (code) =>
      code === 0
        ? resolve(JSON.parse(out.trim().split("\n").pop()!))
        : reject(new Error(`${describe(job)} ended with ${code}.`)),
    ),
  );
}
