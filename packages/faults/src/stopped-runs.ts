import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Outcome } from "./campaign.ts";
import { type Configuration, configurations } from "./configurations.ts";
import type { ProcessOptions, ProcessResult } from "./process.ts";
import { type Reference, run, runIn } from "./reference.ts";
import type { Scratch } from "./scratch.ts";
import { type Worker, worker } from "./worker.ts";

/** Runs a command of a configuration in a folder; a fresh process costs more but has no state of earlier trials. */
export type Runner = (
  c: Configuration,
  args: readonly string[],
  folder: string,
  options?: Pick<ProcessOptions, "fault" | "limit">,
) => Promise<ProcessResult>;

/** Each command in a separate process. */
export const separateProcess: Runner = (c, args, cwd, options) => run(c, args, { cwd, ...options });

/** All commands in one process. */
export function sharedProcess(): { runner: Runner; close(): void } {
  const server: Worker = worker();
  return {
    runner: async (c, args, cwd, options) => {
      const result = await server.run({ args, own: c.own, cwd, fault: options?.fault }, options?.limit);
      // The lock of a dead process would be stale; this process is alive.
      if (result.code !== 0) rmSync(join(runIn(cwd), "lock"), { recursive: true, force: true });
      return result;
    },
    close: server.close,
  };
}

/** One trial in this many uses separate processes; the others share one. */
const sample = 12;

/** Runs a trial in the shared process; findings are repeated in separate processes, as from a terminal. */
export async function confirmed(
  number: number,
  shared: Runner,
  attempt: (runner: Runner) => Promise<Outcome>,
): Promise<Outcome> {
  if (number % sample === 0) return attempt(separateProcess);
  const outcome = await attempt(shared);
  if (!outcome.findings.length) return outcome;
  const again = await attempt(separateProcess);
  if (again.findings.length) return again;
  return { ...outcome, what: `${outcome.what} (only in a process that had run others before)` };
}

/** A run that was killed after most of its work. */
export interface Stopped {
  readonly folder: string;
  /** The file operations of resuming it. */
  readonly operations: readonly string[];
}

/** Stopped runs, made on first use. */
export function stoppedRuns(scratch: Scratch): (c: Configuration, r: Reference) => Promise<Stopped> {
  const known = new Map<string, Promise<Stopped>>();
  const make = async (c: Configuration, { operations }: Reference) => {
    const folder = scratch.fresh("stopped");
    // When its storage is largest: several checkpoints exist, and another will follow.
    const drafts = operations.flatMap((o, i) => (/^mkdirSync .*\.writing-/.test(o) ? [i] : []));
    const at = 1 + drafts[Math.max(0, drafts.length - 2)];
    await separateProcess(c, c.begin, folder, { fault: { root: folder, kind: "kill", at, when: "after" } });
    if (!existsSync(join(runIn(folder), "config.json"))) throw new Error(`${c.name} could not be stopped.`);
    const whole = copyOf(scratch, folder, "whole");
    const trace = `${folder}.trace`;
    await separateProcess(c, forCopy(c).resume, whole, {
      fault: { root: whole, kind: "count", at: 0, trace },
    });
    scratch.remove(whole);
    return { folder, operations: readFileSync(trace, "utf8").split("\n") };
  };
  return (c, reference) => {
    if (!known.has(c.name)) known.set(c.name, make(c, reference));
    return known.get(c.name)!;
  };
}

/** A copy of a folder in a new one, as if the run had always been there. */
export function copyOf(scratch: Scratch, folder: string, stem: string): string {
  const copy = scratch.fresh(stem);
  // A killed process leaves its socket, which cannot be copied.
  cpSync(folder, copy, { recursive: true, filter: (path) => !path.endsWith("control.sock") });
  const config = join(runIn(copy), "config.json");
  writeFileSync(config, readFileSync(config, "utf8").replaceAll(folder, copy));
  return copy;
}

/** A configuration for copies: the location of the model is not recorded as trusted there, so the command must trust it. */
export const forCopy = (c: Configuration): Configuration =>
  c.model ? { ...c, resume: [...c.resume, "--trust"] } : c;

/** A few configurations that together cover every form of storage, for attacks that need not cover every algorithm. */
export const storageConfigurations = () => {
  const names = ["q", "ppo", "dqn", "ucb", "grpo-words", "disk-replay", "episodes"];
  return configurations().filter((c) => names.includes(c.name));
};
