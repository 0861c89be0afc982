import type { Generator } from "@reins/core/random";

/** An integer from `low` to `high`, both included. */
export const between = (random: Generator, low: number, high: number): number =>
  random.integers(low, high + 1);

/** `count` samples. */
export const many = <T>(count: number, one: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => one(i));

/** Characters of `alphabet`, sampled independently. */
export const letters = (random: Generator, count: number, alphabet: string): string =>
  many(count, () => random.choice(alphabet)).join("");

/** `count` different elements in random order: the first steps of a shuffle. */
export function some<T>(random: Generator, count: number, from: ArrayLike<T>): T[] {
  const items = Array.from(from);
  for (let i = 0; i < count; i++) {
    const j = random.integers(i, items.length);
    [items[i], items[j]] = [items[j], items[i]];
  }
  return items.slice(0, count);
}

/** Rejection sampling. Only for conditions that at least one in some dozens of samples meets. */
export function until<T>(one: () => T, passes: (drawn: T) => boolean): T {
  for (;;) {
    const drawn = one();
    if (passes(drawn)) return drawn;
  }
}
