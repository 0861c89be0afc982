import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Fault } from "./fault.ts";

/** How a command ended. */
export interface ProcessResult {
  /** The exit code; null if a signal ended it. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  /** Whether it was killed because it took too long. */
  readonly hung: boolean;
  readonly seconds: number;
}

/** Options of running a process. */
export interface ProcessOptions {
  readonly fault?: Fault;
  readonly env?: { readonly [name: string]: string };
  /** Seconds after which it counts as hanging. */
  readonly limit?: number;
  /** Milliseconds after which it is killed. */
  readonly killAfter?: number;
  readonly cwd?: string;
}

/** A built file of this package. Children always use the build: starting from sources takes seconds. */
export const built = (name: string) => fileURLToPath(new URL(`../dist/${name}.js`, import.meta.url));
/** The command line. */
export const reins = fileURLToPath(new URL("../../reins/bin/reins.js", import.meta.url));

const living = new Set<ChildProcess>();
process.on("exit", () => living.forEach((child) => child.kill("SIGKILL")));

/** Registers a child, so that it ends with this program at the latest. */
export function owned(child: ChildProcess): ChildProcess {
  living.add(child);
  child.on("exit", () => living.delete(child));
  return child;
}

/** Environment of a child: no colours, and none of the user's settings. */
export function environment(options: ProcessOptions): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _, REINS_FAULT: __, VITEST: ___, ...env } = process.env;
  return {
    ...env,
    NO_COLOR: "1",
    ...options.env,
    ...(options.fault ? { REINS_FAULT: JSON.stringify(options.fault) } : {}),
  };
}

/** Runs a Node program to its end, or until it is killed. It does not sync to disk: see `inject.ts`. */
export function runNode(args: readonly string[], options: ProcessOptions = {}): Promise<ProcessResult> {
  const { limit = 60, killAfter, cwd } = options;
  const began = performance.now();
  const child = owned(
    spawn(process.execPath, ["--import", built("inject"), ...args], {
      cwd,
      env: environment(options),
      stdio: ["ignore", "pipe", "pipe"],
    }),
  );
  let [out, err, hung] = ["", "", false];
  child.stdout!.on("data", (text) => (out += text));
  child.stderr!.on("data", (text) => (err += text));
  const clocks = [setTimeout(() => (hung = child.kill("SIGKILL")), limit * 1000)];
  if (killAfter !== undefined) clocks.push(setTimeout(() => child.kill("SIGKILL"), killAfter));
  return new Promise((ended, failed) => {
    child.on("error", failed);
    child.on("close", (code) => {
      clocks.forEach(clearTimeout);
      ended({ code, out, err, hung, seconds: (performance.now() - began) / 1000 });
    });
  });
}
