import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type FolderState, folderState } from "./compare.ts";
import type { Configuration } from "./configurations.ts";
import { built, type ProcessOptions, type ProcessResult, reins, runNode } from "./process.ts";
import type { Scratch } from "./scratch.ts";

/** An undisturbed run. */
export interface Reference {
  readonly folder: string;
  readonly state: FolderState;
  /** Its file operations in order: an operation and a path. */
  readonly operations: readonly string[];
  readonly seconds: number;
}

/** Runs a command of a configuration in a separate process. */
export const run = (
  c: Configuration,
  args: readonly string[],
  options: ProcessOptions,
): Promise<ProcessResult> => runNode([c.own ? built("storage-forms-main") : reins, ...args], options);

/** Undisturbed runs, made on first use. If their time matters, they run once before, to fill the kernel cache. */
export function references(
  scratch: Scratch,
  { timed = false } = {},
): (c: Configuration) => Promise<Reference> {
  const known = new Map<string, Promise<Reference>>();
  const make = async (c: Configuration): Promise<Reference> => {
    const folder = scratch.fresh("reference");
    const trace = `${folder}.trace`;
    if (timed) {
      const warm = scratch.fresh("warm");
      await run(c, c.begin, { cwd: warm, limit: 300 });
      scratch.remove(warm);
    }
    const fault = { root: folder, kind: "count", at: 0, trace } as const;
    const result = await run(c, c.begin, { cwd: folder, limit: 300, fault });
    if (result.code !== 0)
      throw new Error(`${c.name} does not run even without a fault: ${result.err.trim() || result.code}`);
    const operations = readFileSync(trace, "utf8").split("\n");
    return { folder, state: folderState(folder), operations, seconds: result.seconds };
  };
  return (c) => {
    if (!known.has(c.name)) known.set(c.name, make(c));
    return known.get(c.name)!;
  };
}

/** The run of a configuration, relative to its working folder. */
export const runIn = (folder: string) => join(folder, "run");
