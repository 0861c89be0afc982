import { box, discrete, type EnvSpec } from "@reins/core";
import { real, type Tensor, tensor } from "@reins/tensor";
import { Cache, type CachedObject } from "./cache.ts";
import type { AccessLog } from "./web-log.ts";

/** The decision about one eviction candidate: keep (0) or evict (1). */
export const evictionSpec: EnvSpec = { id: "Eviction-v0", observation: box([6]), action: discrete(2) };

/**
 * A candidate as six numbers of similar scale: age, size, hits, gap between requests, remaining lifetime, latency
 * of the origin.
 */
export const candidateFeatures = ({ age, size, hits, gap, ttl, rtt }: CachedObject): number[] => [
  real.log1p(age) / 4,
  real.log1p(size) / 4,
  real.log1p(hits),
  real.log1p(gap) / 4,
  Math.max(-1, ttl / 300),
  real.log1p(rtt) / 4,
];

/** Settings of {@link recordEvictions}. */
export interface EvictionRecordOptions {
  /** KB. */
  readonly capacity: number;
  /** Number of least recently used objects that are candidates. */
  readonly candidates: number;
  /** Seconds between steps of a candidate's trajectory, and the discount factor of each. */
  readonly interval: number;
  readonly gamma: number;
  /** Which candidate is evicted while the log is replayed. */
  choose(candidates: readonly CachedObject[]): number;
}

/**
 * Replays a log and records the outcome of every eviction candidate. The log contains its next request, whether or
 * not it is kept: a kept object gets reward 1 if that comes before it expires, which ends its trajectory; until
 * then it waits, interval by interval, and grows older. An evicted one gets 0. (Gupta and Bhayani, "Cold-RL:
 * Learning Cache Eviction with Offline Reinforcement Learning for NGINX", 2025.)
 */
export function recordEvictions(
  log: AccessLog,
  options: EvictionRecordOptions,
): { readonly [column: string]: Tensor } {
  const { capacity, candidates: count, interval, gamma, choose } = options;
  const cache = new Cache(log, { capacity });
  const again = nextRequests(log);
  const seen: number[][] = [];
  const next: number[][] = [];
  const [action, reward, discount]: number[][] = [[], [], []];
  const note = (before: number[], bit: number, earned: number, after?: number[]) => {
    seen.push(before);
    next.push(after ?? before);
    action.push(bit);
    reward.push(earned);
    discount.push(after ? gamma : 0);
  };
  const story = (c: CachedObject) => {
    const wait = again[c.request] - cache.now;
    const at = (t: number) => candidateFeatures({ ...c, age: c.age + t, ttl: c.ttl - t });
    note(at(0), 1, 0);
    for (let t = 0, over = false; !over; t += interval) {
      over = Math.min(wait, c.ttl) <= t + interval;
      note(at(t), 0, Number(over && wait < c.ttl), over ? undefined : at(t + interval));
    }
  };
  const recorded = new Set<number>();
  while (cache.serve()) {
    const candidates = [...cache.oldest(count)];
    for (const c of candidates)
      if (!recorded.has(c.request)) {
        recorded.add(c.request);
        story(c);
      }
    cache.evict(candidates[choose(candidates)].object);
  }
  const rows = (list: number[][]) => tensor(Float32Array.from(list.flat()), { shape: [list.length, 6] });
  return {
    observation: rows(seen),
    action: tensor(Int32Array.from(action)),
    reward: tensor(Float32Array.from(reward)),
    discount: tensor(Float32Array.from(discount)),
    next: rows(next),
  };
}

/** For each request, the time of the object's next request; Infinity if there is none. */
export function nextRequests({ object, time }: AccessLog): Float64Array {
  const next = new Float64Array(object.length);
  const upcoming = new Map<number, number>();
  for (let i = object.length - 1; i >= 0; i--) {
    next[i] = upcoming.get(object[i]) ?? Number.POSITIVE_INFINITY;
    upcoming.set(object[i], time[i]);
  }
  return next;
}
