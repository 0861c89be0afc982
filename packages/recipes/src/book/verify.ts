import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { fail } from "@reins/core";
import { builtFile, recipeFiles } from "./book.ts";
import { cacheFolder } from "./perform.ts";
import { readResult } from "./result.ts";
import type { Job } from "./trial.ts";
import { runTrials } from "./trials.ts";

/** One evaluation seed of a side, as it was recorded and as it is now. */
export interface Check {
  readonly side: string;
  readonly seed: number;
  readonly recorded: number;
  readonly now: number;
}

/** What running a recipe's first evaluation seed again gave: `moved` where a value is not the recorded one to the last bit. */
export interface Verified {
  readonly id: string;
  readonly moved: boolean;
  readonly checks: readonly Check[];
}

/** Settings of {@link verify}. */
export interface VerifyOptions {
  readonly jobs?: number;
  readonly stop?: () => boolean;
}

/**
 * Runs the first evaluation seed of both sides of a recorded recipe with the recorded settings, and compares the values bit for bit.
 * Undefined where there is nothing recorded.
 */
export async function verify(
  book: string,
  id: string,
  options: VerifyOptions = {},
): Promise<Verified | undefined> {
  const file = recipeFiles(book).get(id);
  if (!file) return fail(`recipe ${id}`, "it is not written yet. reins recipes list shows those that are.");
  const result = readResult(book, id);
  if (!result) return undefined;
  const sides = result.sides.slice(0, 2);
  const jobs = sides.map(
    (s, side): Job => ({ side, seed: result.firstSeed, settings: s.settings, quick: false }),
  );
  const now: number[] = [];
  await runTrials(jobs, {
    file: builtFile(book, file),
    cache: join(cacheFolder(book), "warm"),
    jobs: options.jobs ?? availableParallelism(),
    stop: options.stop ?? (() => false),
    env: {},
    done(at, outcome) {
      now[at] = outcome.value;
    },
  });
  if (jobs.some((_, i) => now[i] === undefined)) return undefined;
  const checks = sides.map((s, i) => ({
    side: s.name,
    seed: result.firstSeed,
    recorded: s.values[0],
    now: now[i],
  }));
  return { id, moved: checks.some((c) => !Object.is(c.recorded, c.now)), checks };
}

const path = (book: string) => join(book, "verified.json");

/** What was found by the last verification of each recipe. */
export function readVerified(book: string): Verified[] {
  try {
    return JSON.parse(readFileSync(path(book), "utf8")) as Verified[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** Keeps a verification beside those of other recipes, in the order of their names. */
export function keepVerified(book: string, one: Verified): void {
  const others = readVerified(book).filter((v) => v.id !== one.id);
  const all = [...others, one].sort((a, b) => (a.id < b.id ? -1 : 1));
  mkdirSync(dirname(path(book)), { recursive: true });
  writeFileSync(`${path(book)}.part`, `${JSON.stringify(all, null, 2)}\n`);
  renameSync(`${path(book)}.part`, path(book));
}
