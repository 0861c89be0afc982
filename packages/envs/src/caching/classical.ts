import type { Cache, CachedObject } from "./cache.ts";

/** Classical ways to choose what is thrown out: what each would rather keep has the higher number. */
export const evictionRules = {
  /** What was asked for last. */
  lru: ({ age }: CachedObject) => -age,
  /** What was asked for last, of the copies that are still good. */
  fresh: ({ age, ttl }: CachedObject) => (ttl > 0 ? -age : -1e9 - age),
  /** What was asked for most often since it was fetched. */
  lfu: ({ hits }: CachedObject) => hits,
  /** What is smallest. */
  size: ({ size }: CachedObject) => -size,
  /** What serves most requests for its size, as in GDSF (Cherkasova, 1998), without aging. */
  hybrid: ({ hits, size }: CachedObject) => (hits + 1) / size,
} as const;

/** The name of a classical rule. */
export type EvictionRule = keyof typeof evictionRules;

/** The object in the whole cache that a rule throws out first; among equals, the least recently used. */
export function leastOf(cache: Cache, rule: EvictionRule): number {
  const worth = evictionRules[rule];
  let [victim, least] = [-1, Number.POSITIVE_INFINITY];
  for (const object of cache.oldest()) {
    const value = worth(object);
    if (value < least) [victim, least] = [object.object, value];
    // Objects come in the order of their age.
    if (rule === "lru") break;
  }
  return victim;
}
