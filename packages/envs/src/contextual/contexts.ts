import { type EnvContext, fail } from "@reins/core";
import { describeValue } from "@reins/core/errors";
import { defaultRng, type Generator, stream } from "@reins/core/random";

/** A parameter: its value, or the range of a uniform distribution. */
export type ContextRanges = { readonly [name: string]: number | readonly [low: number, high: number] };

/** Numbers of training and test contexts. */
export interface ContextCounts {
  readonly train: number;
  /** Equal to the training contexts by default. */
  readonly test?: number;
  /** Seed of the contexts. */
  readonly seed?: number;
}

/** Context options of episodes. */
export interface ContextOptions {
  /** Value or range of each parameter that differs from its default. */
  readonly context?: ContextRanges;
  /** Values or ranges for the test, at least one of which is disjoint from its training range. */
  readonly testContext?: ContextRanges;
  /** Number of training contexts, or `{ train: 100, test: 50, seed: 0 }`; without it every episode has a new one. */
  readonly contexts?: number | ContextCounts;
  /** Which side of the split is played. */
  readonly split?: "train" | "test";
}

/** The contexts of one side, and the training ranges that scale their observation. */
export interface ContextSide {
  readonly ranges: ContextRanges;
  /** The context of an episode. The object may be reused with other values. */
  draw(random: Generator): EnvContext;
}

/**
 * The contexts of one side of a split. The two sides are disjoint: by their ranges where the test has its own,
 * otherwise because both are lists from separate seeds, which are compared. Without either there is one side only,
 * and selecting the test fails.
 */
export function contextSide(id: string, options: ContextOptions, usual: ContextRanges): ContextSide {
  const { context = usual, testContext, contexts, split = "train" } = options;
  for (const given of [context, testContext ?? {}]) checkRanges(id, given);
  const tested = { ...context, ...testContext };
  if (testContext && !Object.keys(tested).some((name) => apart(context[name], tested[name])))
    fail(
      id,
      "testContext overlaps the training contexts. Give one parameter a range that is disjoint from its range in context.",
    );
  if (split === "test" && !testContext && contexts === undefined)
    fail(
      id,
      'split is "test", but no test contexts are defined. Set testContext (ranges) or contexts (a number).',
    );
  const ranges = split === "test" ? tested : context;
  if (contexts === undefined) return { ranges: context, draw: fresh(ranges) };
  const list = contextList(id, context, tested, countsOf(id, contexts), split);
  return { ranges: context, draw: (random) => list[random.integers(0, list.length)] };
}

/** Samples into a reused object, so that an episode allocates nothing. */
function fresh(ranges: ContextRanges): (random: Generator) => EnvContext {
  const drawn: Record<string, number> = {};
  const names = Object.keys(ranges);
  return (random) => {
    for (const name of names) {
      const range = ranges[name];
      drawn[name] = typeof range === "number" ? range : random.uniform(range[0], range[1]);
    }
    return drawn;
  };
}

function contextList(
  id: string,
  train: ContextRanges,
  test: ContextRanges,
  { train: trained, test: wanted = trained, seed = 0 }: ContextCounts,
  split: "train" | "test",
): readonly EnvContext[] {
  const make = (side: "train" | "test", i: number): EnvContext => ({
    ...fresh(side === "train" ? train : test)(defaultRng(stream(seed, `${side} context`, i))),
  });
  const list = Array.from({ length: trained }, (_, i) => make("train", i));
  if (split === "train") return list;
  const known = new Set(list.map((context) => JSON.stringify(context)));
  const kept = Array.from({ length: wanted }, (_, i) => make("test", i)).filter(
    (context) => !known.has(JSON.stringify(context)),
  );
  if (kept.length < wanted)
    fail(id, "test contexts also occur in training. Give the context a range to sample from.");
  return kept;
}

const endsOf = (range: number | readonly [number, number]) =>
  typeof range === "number" ? ([range, range] as const) : range;

/** Whether two ranges of a parameter, present in both, are disjoint. */
function apart(a: ContextRanges[string] | undefined, b: ContextRanges[string]): boolean {
  if (a === undefined) return false;
  return endsOf(a)[1] < endsOf(b)[0] || endsOf(b)[1] < endsOf(a)[0];
}

function checkRanges(id: string, ranges: ContextRanges): void {
  if (typeof ranges !== "object" || ranges === null)
    fail(
      id,
      `context is ${describeValue(ranges)}. Use a number or a range for each parameter: { gravity: [8, 12] }.`,
    );
  for (const [name, range] of Object.entries(ranges)) {
    const ends: readonly unknown[] = typeof range === "number" ? [range, range] : range;
    const [low, high] = Array.isArray(ends) ? ends : [];
    const fine = Number.isFinite(low) && Number.isFinite(high) && ends.length === 2 && low <= high;
    if (!fine) fail(id, `${name} of the context is ${describeValue(range)}. Use a number, or [low, high].`);
  }
}

function countsOf(id: string, given: number | ContextCounts): ContextCounts {
  const counts = typeof given === "number" ? { train: given } : given;
  const whole = (n: unknown, least: number) =>
    n === undefined || (Number.isInteger(n) && (n as number) >= least);
  const { train, test, seed } = counts ?? {};
  if (train === undefined || !whole(train, 1) || !whole(test, 1) || !whole(seed, 0))
    fail(
      id,
      `contexts is ${JSON.stringify(given)}. Use the number of training contexts, or { train: 100, test: 50, seed: 0 }.`,
    );
  return counts;
}
