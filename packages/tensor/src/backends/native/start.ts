import { spawn, spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";

/** A library could not be built; `output` is the compiler's output. The caller may fall back to WebAssembly. */
export class BuildError extends Error {
  readonly output: string;
  constructor(message: string, output = "") {
    super(message);
    this.name = "BuildError";
    this.output = output;
  }
}

export interface StartOptions {
  readonly input?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Time limit, after which it is killed with its children. */
  readonly seconds: number;
  /** Its name in messages, if it is not the command. */
  readonly name?: string;
}

/** Thrown where a compiler did not finish in time. */
export class SlowCompiler extends BuildError {}

/** Maximum number of concurrent compilers. */
export const compilers = Math.min(availableParallelism(), 8);

/**
 * A separate process group: so that its children can be killed with it, and so that an interrupt from the keyboard, which is for this
 * process, does not make it fail.
 */
const detached = process.platform !== "win32";

/** How a process ended. */
interface Ending {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly error?: NodeJS.ErrnoException;
  readonly late: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a compiler to its end and returns its output. Texts go through a pipe: only its output is left on disk. */
export function start(command: string, args: readonly string[], options: StartOptions): string {
  const { input = "", env = process.env, seconds } = options;
  const { pid, status, signal, stdout, stderr, ...rest } = spawnSync(command, args, {
    input,
    env: withoutPreload(env),
    encoding: "utf8",
    stdio: ["pipe", "pipe", "pipe"],
    maxBuffer: 1 << 26,
    timeout: seconds * 1000,
    killSignal: "SIGKILL",
    ...{ detached },
  });
  const error: NodeJS.ErrnoException | undefined = rest.error;
  // A compiler need not read all of its input.
  const failure = error?.code === "EPIPE" ? undefined : error;
  if (failure && pid) killGroup(pid);
  const late = failure?.code === "ETIMEDOUT";
  return outcome(command, options, { status, signal, error: failure, late, stdout, stderr });
}

/** Like `start`, without blocking this thread. As many as there are cores run in parallel; the others are queued. */
export async function startAsync(
  command: string,
  args: readonly string[],
  options: StartOptions,
): Promise<string> {
  await turn();
  try {
    return outcome(command, options, await ending(command, args, options));
  } finally {
    running--;
    queue.shift()?.();
  }
}

let running = 0;
const queue: (() => void)[] = [];

async function turn(): Promise<void> {
  while (running >= compilers) await new Promise<void>((resolve) => queue.push(resolve));
  running++;
}

function ending(command: string, args: readonly string[], options: StartOptions): Promise<Ending> {
  const { input = "", env = process.env, seconds } = options;
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      env: withoutPreload(env),
      stdio: ["pipe", "pipe", "pipe"],
      detached,
    });
    const texts = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const)
      child[name].setEncoding("utf8").on("data", (text: string) => {
        texts[name] += text;
      });
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      if (detached && child.pid) killGroup(child.pid);
      else child.kill("SIGKILL");
    }, seconds * 1000);
    const end = (status: number | null, signal: NodeJS.Signals | null, error?: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      resolve({ status, signal, error, late, ...texts });
    };
    child.on("error", (error) => end(null, null, error));
    child.on("close", end);
    // A compiler need not read all of its input.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
}

/** The output of a process that succeeded; otherwise an error with the reason. */
function outcome(command: string, { seconds, name = command }: StartOptions, how: Ending): string {
  const { status, signal, error, late, stdout, stderr } = how;
  if (late)
    throw new SlowCompiler(
      `The C compiler ${name} did not finish within ${seconds} seconds (REINS_CC_TIMEOUT sets another limit).`,
    );
  if (!error && status === 0) return stdout;
  const ended = signal ? `it was killed by ${signal}` : `it ended with status ${status}`;
  const text = stderr?.trim() || error?.message || ended;
  throw new BuildError(`The C compiler ${name} failed: ${text.split("\n").slice(0, 3).join(" ")}`, text);
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has already ended.
  }
}

/** A sanitiser's library is preloaded for generated code (see `sanitize.ts`), not for its compiler. */
function withoutPreload(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (!env.REINS_SANITIZE) return env;
  const { LD_PRELOAD: _, ...others } = env;
  return others;
}
