import { spawnSync } from "node:child_process";

/** A library could not be built; `output` is what the compiler said. The caller may fall back to WebAssembly. */
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
  /** It is killed, with all that it started, when it takes longer. */
  readonly seconds: number;
  /** What messages call it, where that is not the command. */
  readonly name?: string;
}

/** Thrown where a compiler did not finish in time. */
export class SlowCompiler extends BuildError {}

/** Runs a compiler to its end and gives what it printed. Texts go through a pipe: nothing but its output is left on disk. */
export function start(command: string, args: readonly string[], options: StartOptions): string {
  const { input = "", env = process.env, seconds, name = command } = options;
  const { pid, status, signal, error, stdout, stderr } = spawnSync(command, args, {
    input,
    env: withoutPreload(env),
    encoding: "utf8",
    stdio: ["pipe", "pipe", "pipe"],
    maxBuffer: 1 << 26,
    timeout: seconds * 1000,
    killSignal: "SIGKILL",
    // A group of its own: so that what it starts can be killed with it, and so that an interrupt from the keyboard, which is for
    // us, does not make it fail.
    ...{ detached: process.platform !== "win32" },
  });
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  // Whether it read all of its input is its own affair.
  const failure = code === "EPIPE" ? undefined : error;
  if (!failure && status === 0) return stdout;
  if (failure && pid) killGroup(pid);
  if (code === "ETIMEDOUT")
    throw new SlowCompiler(
      `The C compiler ${name} did not finish within ${seconds} seconds (REINS_CC_TIMEOUT sets another limit).`,
    );
  const ended = signal ? `it was killed by ${signal}` : `it ended with status ${status}`;
  const text = stderr?.trim() || failure?.message || ended;
  throw new BuildError(`The C compiler ${name} failed: ${text.split("\n").slice(0, 3).join(" ")}`, text);
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Nothing is left of it.
  }
}

/** A sanitiser's library is preloaded for generated code (see `sanitize.ts`), not for its compiler. */
function withoutPreload(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  if (!env.REINS_SANITIZE) return env;
  const { LD_PRELOAD: _, ...others } = env;
  return others;
}
