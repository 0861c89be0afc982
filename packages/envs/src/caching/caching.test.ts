import { expect, it } from "vitest";
import { Cache } from "./cache.ts";
import { leastOf } from "./classical.ts";
import { evictionEnv, nextRequests } from "./eviction.ts";
import { type AccessLog, webLog } from "./web-log.ts";

/** One request a second; copies are good for 5 seconds, objects 0 to 3 have 1 to 4 KB. */
const log = (...object: number[]): AccessLog => ({
  object: Int32Array.from(object),
  time: Float64Array.from(object, (_, i) => i),
  size: Float64Array.of(1, 2, 3, 4),
  ttl: new Float64Array(4).fill(5),
  rtt: new Float64Array(4).fill(10),
});

it("serves copies until they expire, and stops where something must go", () => {
  const cache = new Cache(log(0, 1, 0, 1, 1, 0, 2, 0), { capacity: 4 });
  expect(cache.serve()).toBe(true);
  // Object 0 was fetched at second 0: at 5 it has expired.
  expect([cache.hits, cache.requests, cache.position]).toEqual([3, 6, 6]);
  expect([...cache.oldest()].map((o) => [o.object, o.age, o.hits, o.gap, o.ttl])).toEqual([
    [1, 2, 2, 1, 0],
    [0, 1, 0, 3, 4],
  ]);
  cache.evict(1);
  expect(cache.serve()).toBe(false);
  expect(cache.hitRatio).toBe(4 / 8);
});

it("chooses victims by each classical rule", () => {
  const cache = new Cache(log(1, 1, 0, 2, 2, 3), { capacity: 6 });
  cache.serve();
  // Objects 1 and 2 were hit once, object 0 never; object 2 is the largest, also for its hits.
  expect(["lru", "lfu", "size", "hybrid"].map((rule) => leastOf(cache, rule as "lru"))).toEqual([1, 0, 2, 2]);
});

it("pays for candidates that are kept and asked for again before they expire", () => {
  const requests = log(0, 1, 2, 1, 0);
  expect([...nextRequests(requests)]).toEqual([4, 3, ...Array(3).fill(Number.POSITIVE_INFINITY)]);
  const play = (victim: number) => {
    const env = evictionEnv({ capacity: 5, candidates: 2, log: () => requests });
    expect(env.reset({ seed: 0 }).observation).toHaveLength(12);
    return env.step(victim);
  };
  // Without object 0 the request at second 4 needs room again, without object 1 the one at second 3.
  expect(play(0)).toMatchObject({ reward: 1, terminated: false });
  expect(play(1)).toMatchObject({ reward: 1, terminated: false });
});

it("makes logs with a crowd of popular pages and many objects that nobody asks for twice", () => {
  const made = webLog({ requests: 5000, seed: 3 });
  expect(made).toEqual(webLog({ requests: 5000, seed: 3 }));
  expect(made.time.every((t, i) => i === 0 || t >= made.time[i - 1])).toBe(true);
  const counts = new Map<number, number>();
  for (const o of made.object) counts.set(o, (counts.get(o) ?? 0) + 1);
  const once = [...counts.values()].filter((n) => n === 1).length;
  expect(once / 5000).toBeGreaterThan(0.1);
  expect(Math.max(...counts.values())).toBeGreaterThan(100);
});
