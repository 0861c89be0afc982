import { fail } from "@reins/core";
import { defaultRng, stream } from "@reins/core/random";
import { Level, type LevelGenerator } from "./level.ts";

/** Numbers of training and test levels. */
export interface LevelCounts {
  readonly train: number;
  /** Equal to the training levels, at most 1000, by default. */
  readonly test?: number;
  /** Seed of the levels. */
  readonly seed?: number;
}

/** The side of a split. */
export type LevelSplit = "train" | "test";

/** Seeds tried for each level before the generator counts as exhausted. */
const triesPerLevel = 50;

/**
 * The levels of one side of a split, each generated from its own seed. The seeds of the two sides differ, but a
 * generator may make equal levels from two seeds: test levels that equal a training level are replaced by others.
 * So no test level has been played in training. A generator with too few levels for both sides is rejected.
 */
export function levelSet(
  id: string,
  { width, height, generate }: { width: number; height: number; generate: LevelGenerator },
  counts: LevelCounts,
  split: LevelSplit,
): readonly Level[] {
  const { train, test = Math.min(train, 1000), seed = 0 } = counts;
  const scratch = new Level(width, height);
  const make = (side: LevelSplit, index: number) => {
    generate(scratch, defaultRng(stream(seed, `${side} level`, index)));
    return scratch.copy();
  };
  const trained = Array.from({ length: train }, (_, i) => make("train", i));
  // Generated a second time: any difference does not come from the seed.
  if (trained.some(({ digest }, i) => make("train", i).digest !== digest))
    fail(
      id,
      "its generator makes different levels from one seed, so a test level may occur in training. Use no randomness but `random`.",
    );
  // A test split that is impossible fails before training.
  if (split === "train" && counts.test === undefined) return trained;

  const known = new Set(trained.map((level) => level.digest));
  const tested: Level[] = [];
  for (let i = 0; tested.length < test; i++) {
    if (i >= test * triesPerLevel)
      fail(
        id,
        `its generator repeats itself: of ${i} test levels only ${tested.length} are not among the ${train} training levels, and ${test} are needed. Use fewer training levels, or a larger world.`,
      );
    const level = make("test", i);
    if (known.has(level.digest)) continue;
    known.add(level.digest);
    tested.push(level);
  }
  return split === "train" ? trained : tested;
}

/** Forms of the `levels` option: a number of training levels, or an object. */
export function levelCounts(id: string, given: unknown): LevelCounts | undefined {
  if (given === undefined) return undefined;
  const counts = (typeof given === "number" ? { train: given } : given) as LevelCounts;
  const whole = (n: unknown, least: number) =>
    n === undefined || (Number.isInteger(n) && (n as number) >= least);
  const { train, test, seed } = counts ?? {};
  if (train === undefined || !whole(train, 1) || !whole(test, 1) || !whole(seed, 0))
    fail(
      id,
      `levels is ${JSON.stringify(given)}. Use the number of training levels, or { train: 200, test: 100, seed: 0 }.`,
    );
  return counts;
}
