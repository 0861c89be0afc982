import { join } from "node:path";
import { withLock } from "./lock.ts";
import { cacheFolder } from "./open-recipe.ts";
import { readList, writeJson } from "./result.ts";

/** A recorded value and its current value. */
export interface Check {
  readonly side: string;
  readonly replicate: string;
  readonly value: string;
  readonly recorded: number;
  readonly now: number;
}

/**
 * Result of running a recorded recipe again. `bits`: every value of the first replicate of each arm equals the recorded one bit for bit.
 * `predicted`: only numerics changed, and the headline's effects of three replicates lie within the prediction interval.
 * `moved`: neither; it must be measured again.
 */
export interface RecipeVerification {
  readonly id: string;
  readonly how: "bits" | "predicted" | "moved";
  /** The commit. */
  readonly at: string;
  /** Values that differ. */
  readonly differs: readonly Check[];
  /** Parts of the recipe that differ from its record: claims, metrics, arms. */
  readonly changed?: readonly string[];
}

const path = (book: string) => join(book, "verified.json");

/** The last verification of each recipe. */
export const readVerifications = (book: string): readonly RecipeVerification[] =>
  readList<RecipeVerification>(path(book));

/** Stores a verification, ordered by recipe. */
export const storeVerification = (book: string, one: RecipeVerification): Promise<void> =>
  withLock(join(cacheFolder(book), "verified.lock"), () => {
    const others = readVerifications(book).filter((v) => v.id !== one.id);
    writeJson(
      path(book),
      [...others, one].sort((a, b) => (a.id < b.id ? -1 : 1)),
    );
  });
