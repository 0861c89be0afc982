import { type StartOptions, start, startAsync } from "./start.ts";

/** A compiler to be run. */
export interface Job extends StartOptions {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * Work that runs compilers: it yields jobs, which may run in parallel, and continues when all are done. The caller chooses how to
 * wait: `blocking` blocks the thread, `awaiting` does not. So both share one implementation of the work.
 */
export type Work<T> = Generator<readonly Job[], T, void>;

/** Does the work synchronously. */
export function blocking<T>(work: Work<T>): T {
  let next = work.next();
  while (!next.done) {
    try {
      startTogether(next.value);
    } catch (error) {
      next = work.throw(error);
      continue;
    }
    next = work.next();
  }
  return next.value;
}

/** Does the work asynchronously. If several jobs fail, all have ended before the first error is thrown. */
export async function awaiting<T>(work: Work<T>): Promise<T> {
  let next = work.next();
  while (!next.done) {
    const all = next.value.map((job) => startAsync(job.command, job.args, job));
    const failed = (await Promise.allSettled(all)).find((end) => end.status === "rejected");
    next = failed ? work.throw(failed.reason) : work.next();
  }
  return next.value;
}

function startTogether(jobs: readonly Job[]): void {
  const [first] = jobs;
  if (jobs.length === 1) start(first.command, first.args, first);
  else
    start(process.execPath, ["-e", parallel], {
      input: JSON.stringify(jobs.map(({ command, args, input }) => ({ command, args, input }))),
      env: { ...first.env, ELECTRON_RUN_AS_NODE: "1" },
      seconds: first.seconds,
      name: first.command,
    });
}

/** Runs in a second Node process: a blocked thread cannot wait for several compilers itself. */
const parallel = `
const { spawn } = require("node:child_process");
for (const { command, args, input } of JSON.parse(require("node:fs").readFileSync(0, "utf8"))) {
  const job = spawn(command, args, { stdio: ["pipe", "ignore", "inherit"] });
  job.stdin.on("error", () => {});
  job.stdin.end(input);
  job.on("error", (error) => { console.error(error.message); process.exitCode = 1; });
  job.on("close", (code, signal) => {
    if (signal) console.error("it was killed by " + signal);
    if (code !== 0) process.exitCode = 1;
  });
}`;
