import { type ChildProcess, spawn } from "node:child_process";

/** A seed that did not come to an end. */
export interface Failure {
  readonly seed: number;
  readonly message: string;
}

/** Settings of {@link runSeeds}. */
export interface SeedOptions<T> {
  /** The program and its arguments for a seed. Its last line must be a JSON object. */
  readonly command: (seed: number) => readonly string[];
  /** Processes at the same time. */
  readonly jobs: number;
  readonly done: (seed: number, result: T) => void;
  /** Asked before each start. */
  readonly stop: () => boolean;
}

/** Runs one process for each seed, several at a time. Those that fail do not hold up the others. */
export async function runSeeds<T>(seeds: readonly number[], options: SeedOptions<T>): Promise<Failure[]> {
  const waiting = [...seeds];
  const failures: Failure[] = [];
  const children = new Set<ChildProcess>();
  const watch = setInterval(() => {
    if (options.stop()) for (const child of children) child.kill("SIGTERM");
  }, 100);
  const worker = async () => {
    for (;;) {
      const seed = options.stop() ? undefined : waiting.shift();
      if (seed === undefined) return;
      try {
        options.done(seed, await runOne<T>(options.command(seed), children));
      } catch (error) {
        if (!options.stop()) failures.push({ seed, message: (error as Error).message });
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(options.jobs, seeds.length) }, worker));
  } finally {
    clearInterval(watch);
  }
  return failures;
}

function runOne<T>([program, ...args]: readonly string[], children: Set<ChildProcess>): Promise<T> {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
  children.add(child);
  let [out, err] = ["", ""];
  child.stdout.on("data", (text: Buffer) => (out += text));
  child.stderr.on("data", (text: Buffer) => (err += text));
  return new Promise<T>((done, failed) => {
    child.once("error", failed);
    child.once("close", (code) => {
      children.delete(child);
      const last = out.trim().split("\n").at(-1) ?? "";
      try {
        if (code === 0) return done(JSON.parse(last) as T);
      } catch {}
      failed(new Error(err.trim() || `exit code ${code}, and the last line was "${last}"`));
    });
  });
}
