import { join } from "node:path";
import { alone } from "./lock.ts";
import { cacheFolder } from "./open.ts";
import { readList, writeJson } from "./result.ts";

/** A value as it was recorded and as it is now. */
export interface Check {
  readonly side: string;
  readonly replicate: string;
  readonly value: string;
  readonly recorded: number;
  readonly now: number;
}

/**
 * What running a recorded recipe again gave. `bits`: every value of the first replicate of each side is the recorded one to the last bit.
 * `predicted`: only how things are computed changed, and the headline's effects of three replicates lie where the recorded ones say.
 * `moved`: neither; it is to be measured anew.
 */
export interface Verified {
  readonly id: string;
  readonly how: "bits" | "predicted" | "moved";
  /** The commit. */
  readonly at: string;
  /** What is not the same. */
  readonly differs: readonly Check[];
  /** What the recipe says otherwise than its record: claims, metrics, sides. */
  readonly changed?: readonly string[];
}

const path = (book: string) => join(book, "verified.json");

/** What was found by the last verification of each recipe. */
export const readVerified = (book: string): readonly Verified[] => readList<Verified>(path(book));

/** Keeps a verification beside those of other recipes, in the order of their names. */
export const keepVerified = (book: string, one: Verified): Promise<void> =>
  alone(join(cacheFolder(book), "verified.lock"), () => {
    const others = readVerified(book).filter((v) => v.id !== one.id);
    writeJson(
      path(book),
      [...others, one].sort((a, b) => (a.id < b.id ? -1 : 1)),
    );
  });
