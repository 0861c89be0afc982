import type { Cache, CachedObject } from "./cache.ts";

/** Classical eviction rules: objects with a higher score are kept. */
export const evictionRules = {
  /** Least recently used. */
  lru: ({ age }: CachedObject) => -age,
  /** Least recently used, with expired copies first. */
  fresh: ({ age, ttl }: CachedObject) => (ttl > 0 ? -age : -1e9 - age),
  /** Least frequently used since the fetch. */
  lfu: ({ hits }: CachedObject) => hits,
  /** Largest first. */
  size: ({ size }: CachedObject) => -size,
  /** Requests per size, as in GDSF (Cherkasova, 1998), without aging. */
  hybrid: ({ hits, size }: CachedObject) => (hits + 1) / size,
} as const;

/** The name of a classical rule. */
export type EvictionRule = keyof typeof evictionRules;

/**
 * The object that a rule evicts first, from the whole cache or from its oldest objects; ties go to the least
 * recently used.
 */
export const evictionCandidate =
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
 * Greedy dual size with frequency (Cherkasova, "Improving WWW Proxies Performance with Greedy-Dual-Size-Frequency
 * Caching Policy", 1998): a request sets its object's priority to its requests over its size, to a power, plus the
 * priority of the last evicted object, so that objects without requests age. With `power` 0 it is LFU with aging.
 * It is stateful, so each cache needs its own.
 */
export function gdsf(power = 1): (cache: Cache) => number {
  let inflation = 0;
  const kept = new Map<number, { request: number; priority: number }>();
  return (cache) => {
    let [victim, least] = [-1, Number.POSITIVE_INFINITY];
    for (const { object, request, hits, size } of cache.oldest()) {
      let mine = kept.get(object);
      // Inflation changes with evictions only: requests since the last one use its value.
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
