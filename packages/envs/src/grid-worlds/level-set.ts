import { defaultRng, fail, stream } from "@reins/core";
import { Level, type LevelGenerator } from "./level.ts";

/** Which levels there are to train on and to be tested on. */
export interface LevelCounts {
  readonly train: number;
  /** As many as to train on, at most 1000, if it does not say. */
  readonly test?: number;
  /** Other numbers make other levels. */
  readonly seed?: number;
}

/** The side of a split. */
export type Split = "train" | "test";

/** Seeds that are tried for each level before the generator is held to have no more. */
const triesPerLevel = 50;

/**
 * The levels of one side of a split, each made from a seed of its own. Seeds of the two sides differ, but a generator may make the same level
 * of two seeds: levels of the test that are equal to one of those to train on are left out, and others take their place. So whatever is
 * learned, no level of the test has been played before. A generator that has too few levels for both is refused.
 */
export function levelSet(
  id: string,
  { width, height, generate }: { width: number; height: number; generate: LevelGenerator },
  counts: LevelCounts,
  split: Split,
): readonly Level[] {
  const { train, test = Math.min(train, 1000), seed = 0 } = counts;
  const scratch = new Level(width, height);
  const make = (side: Split, index: number) => {
    generate(scratch, defaultRng(stream(seed, `${side} level`, index)));
    return scratch.copy();
  };
  const trained = Array.from({ length: train }, (_, i) => make("train", i));
  // Made once more: what differs now was not made from the seed.
  if (trained.some(({ digest }, i) => make("train", i).digest !== digest))
    fail(
      id,
      "its generator makes two levels of one seed, so a level of the test may come in training. Draw from `random` only.",
    );
  // Who says what the test needs hears before training that it cannot be had.
  if (split === "train" && counts.test === undefined) return trained;

  const known = new Set(trained.map((level) => level.digest));
  const tested: Level[] = [];
  for (let i = 0; tested.length < test; i++) {
    if (i >= test * triesPerLevel)
      fail(
        id,
        `its generator repeats itself: of ${i} levels for the test only ${tested.length} are not among the ${train} to train on, and ${test} are wanted. Train on fewer, or make the world larger.`,
      );
    const level = make("test", i);
    if (known.has(level.digest)) continue;
    known.add(level.digest);
    tested.push(level);
  }
  return split === "train" ? trained : tested;
}

/** `levels` as an option may be written: a number of levels to train on, or all that there is to say. */
export function levelCounts(id: string, given: unknown): LevelCounts | undefined {
  if (given === undefined) return undefined;
  const counts = (typeof given === "number" ? { train: given } : given) as LevelCounts;
  const whole = (n: unknown, least: number) =>
    n === undefined || (Number.isInteger(n) && (n as number) >= least);
  const { train, test, seed } = counts ?? {};
  if (train === undefined || !whole(train, 1) || !whole(test, 1) || !whole(seed, 0))
    fail(
      id,
      `levels is ${JSON.stringify(given)}. It is the number of levels to train on, or { train: 200, test: 100, seed: 0 }.`,
    );
  return counts;
}
