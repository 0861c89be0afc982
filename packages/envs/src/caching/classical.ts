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

/** Names the object that a rule throws out first, of the whole cache or of its oldest ones; among equals, the least recently used. */
export const leastOf =
  (rule: EvictionRule, count?: number) =>
  (cache: Cache): number => {
    const worth = evictionRules[rule];
    let [victim, least] = [-1, Number.POSITIVE_INFINITY];
    for (const object of cache.oldest(count)) {
      const value = worth(object);
      if (value < least) [victim, least] = [object.object, value];
      // Objects come in the order of their age.
      if (rule === "lru") break;
    }
    return victim;
  };

/**
 * Greedy dual size with frequency (Cherkasova, "Improving WWW Proxies Performance with Greedy-Dual-Size-Frequency Caching Policy", 1998):
 * a request gives its object its requests over its size, to a power, on top of what the last victim had, so that what is no longer asked
 * for grows old. With `power` 0 it is LFU with aging. It remembers, so each cache needs one of its own.
 */
export function gdsf(power = 1): (cache: Cache) => number {
  let inflation = 0;
  const kept = new Map<number, { request: number; priority: number }>();
  return (cache) => {
    let [victim, least] = [-1, Number.POSITIVE_INFINITY];
    for (const { object, request, hits, size } of cache.oldest()) {
      let mine = kept.get(object);
      // Inflation moves with evictions only: what was asked for since the last one is given what it was then.
      if (mine?.request !== request) {
        mine = { request, priority: inflation + (hits + 1) / size ** power };
        kept.set(object, mine);
      }
      if (mine.priority < least) [victim, least] = [object, mine.priority];
    }
    inflation = least;
    kept.delete(victim);
    return victim;
  };
}
