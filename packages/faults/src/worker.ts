import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { built, environment, owned, type ProcessResult } from "./process.ts";
import type { Request } from "./serve.ts";

/** Runs commands in a persistent process: a hundred times as many as with one process each. */
export interface Worker {
  run(request: Request, limit?: number): Promise<ProcessResult>;
  close(): void;
}

/** Requests after which the process is replaced, so that leftover state of one trial affects few others. */
const patience = 40;

/** Makes a worker. Its process starts with the first request, and again after one that ended it. */
export function worker(): Worker {
  let child: ReturnType<typeof spawn> | undefined;
  let answer: ((line: string | undefined) => void) | undefined;
  let served = 0;
  let err = "";
  const start = () => {
    const made = owned(
      spawn(process.execPath, ["--expose-gc", "--import", built("inject"), built("serve")], {
        env: environment({}),
        stdio: ["pipe", "pipe", "pipe"],
      }),
    );
    served = 0;
    err = "";
    createInterface({ input: made.stdout! }).on("line", (line) => child === made && answer?.(line));
    made.stderr!.on("data", (text) => (err += text));
    made.stdin!.on("error", () => {});
    made.on("close", () => {
      if (child !== made) return;
      child = undefined;
      answer?.(undefined);
    });
    return made;
  };
  const stop = () => {
    const old = child;
    child = undefined;
    old?.kill("SIGKILL");
  };
  // One at a time, even if trials run in parallel.
  let before: Promise<unknown> = Promise.resolve();
  const ask = async (request: Request, limit: number): Promise<ProcessResult> => {
    if (served++ >= patience) stop();
    child ??= start();
    const began = performance.now();
    let hung = false;
    let clock: NodeJS.Timeout | undefined;
    const line = await new Promise<string | undefined>((done) => {
      answer = done;
      clock = setTimeout(() => {
        hung = true;
        stop();
        done(undefined);
      }, limit * 1000);
      child!.stdin!.write(`${JSON.stringify(request)}\n`);
    });
    clearTimeout(clock);
    const seconds = (performance.now() - began) / 1000;
    if (line === undefined) return { code: null, out: "", err, hung, seconds };
    return { ...(JSON.parse(line) as { code: number; out: string; err: string }), hung, seconds };
  };
  return {
    run(request, limit = 60) {
      const result = before.then(() => ask(request, limit));
      before = result.catch(() => {});
      return result;
    },
    close: stop,
  };
}
