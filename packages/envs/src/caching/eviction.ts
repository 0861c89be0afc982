import { box, discrete, type Env, type ResetOptions } from "@reins/core";
import { Cache, type CachedObject } from "./cache.ts";
import type { AccessLog } from "./web-log.ts";

/** How evictions are decided. */
export interface EvictionOptions {
  /** KB. */
  readonly capacity: number;
  /** The log of an episode, by its seed. */
  log(seed: number): AccessLog;
  /** How many of the least recently used objects are candidates. */
  readonly candidates?: number;
  /** Requests at the beginning that do not count for the hit ratio. */
  readonly warmUp?: number;
}

/** Numbers that a candidate is described by: age, size, hits, gap between requests, life left, distance of the origin. */
export const candidateFeatures = 6;

/** A decision about evictions as an environment, with its cache. */
export interface EvictionEnv extends Env<number[], number> {
  readonly cache: Cache;
  /** The objects that may be thrown out now. */
  readonly candidates: readonly CachedObject[];
}

/**
 * A cache's evictions: a step throws out one of the K least recently used objects, which are described by six numbers each. As the log is
 * recorded, what will come is known: each candidate that is kept pays 1 if it will be asked for again before it expires (Gupta and Bhayani,
 * "Cold-RL", 2025). An episode is a log.
 */
export function evictionEnv(options: EvictionOptions): EvictionEnv {
  const { capacity, candidates: count = 16, warmUp = 0 } = options;
  let seed = -1;
  let log: AccessLog;
  let next: Float64Array;
  let cache: Cache;
  let candidates: CachedObject[] = [];
  const look = (more: boolean) => {
    if (more) candidates = [...cache.oldest(count)];
    return Array.from({ length: count }, (_, i) =>
      describe(candidates[Math.min(i, candidates.length - 1)]),
    ).flat();
  };
  return {
    spec: {
      id: "Eviction-v0",
      observation: box([count * candidateFeatures]),
      action: discrete(count),
    },
    get cache() {
      return cache;
    },
    get candidates() {
      return candidates;
    },
    reset(given: ResetOptions = {}) {
      seed = given.seed ?? seed + 1;
      log = options.log(seed);
      next = nextRequests(log);
      cache = new Cache(log, { capacity, warmUp });
      return { observation: look(cache.serve()) };
    },
    step(action) {
      // Where there are fewer candidates than places, the last one stands for the rest.
      const victim = candidates[Math.min(action, candidates.length - 1)];
      const kept = candidates.filter((c) => c !== victim);
      const now = log.time[cache.position];
      const reward = kept.filter((c) => next[c.request] < now + c.ttl).length;
      cache.evict(victim.object);
      const more = cache.serve();
      return { observation: look(more), reward, terminated: !more, truncated: false };
    },
  };
}

/** For each request, when its object is asked for again; never is Infinity. */
export function nextRequests({ object, time }: AccessLog): Float64Array {
  const next = new Float64Array(object.length);
  const upcoming = new Map<number, number>();
  for (let i = object.length - 1; i >= 0; i--) {
    next[i] = upcoming.get(object[i]) ?? Number.POSITIVE_INFINITY;
    upcoming.set(object[i], time[i]);
  }
  return next;
}

/** Six numbers of about the same size. */
const describe = ({ age, size, hits, gap, ttl, rtt }: CachedObject): number[] => [
  Math.log1p(age) / 4,
  Math.log1p(size) / 4,
  Math.log1p(hits),
  Math.log1p(gap) / 4,
  Math.max(-1, ttl / 600),
  Math.log1p(rtt) / 4,
];
