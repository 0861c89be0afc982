import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Likeness, likenessOf } from "./compare.ts";
import type { Configuration } from "./configurations.ts";
import { built, type Care, reins, runNode, type Said } from "./process.ts";
import type { Scratch } from "./scratch.ts";

/** A run that nothing disturbed. */
export interface Reference {
  readonly folder: string;
  readonly likeness: Likeness;
  /** What it did to its files, in order: an operation and a path. */
  readonly operations: readonly string[];
  readonly seconds: number;
}

/** Runs a command line of a configuration in a process of its own. */
export const run = (c: Configuration, args: readonly string[], care: Care): Promise<Said> =>
  runNode([c.own ? built("own-main") : reins, ...args], care);

/** Unbroken runs, each made when it is first asked for. Where their time matters, they run once before, to fill the kernel cache. */
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
    const said = await run(c, c.begin, { cwd: folder, limit: 300, fault });
    if (said.code !== 0)
      throw new Error(`${c.name} does not run even without a fault: ${said.err.trim() || said.code}`);
    const operations = readFileSync(trace, "utf8").split("\n");
    return { folder, likeness: likenessOf(folder), operations, seconds: said.seconds };
  };
  return (c) => {
    if (!known.has(c.name)) known.set(c.name, make(c));
    return known.get(c.name)!;
  };
}

/** Where the run of a configuration is kept, below the folder it runs in. */
export const runIn = (folder: string) => join(folder, "run");
