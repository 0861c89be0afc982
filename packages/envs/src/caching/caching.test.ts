import { expect, it } from "vitest";
import { Cache } from "./cache.ts";
import { evictionCandidate, gdsf } from "./classical.ts";
import { recordEvictions } from "./evictions.ts";
import { type AccessLog, webLog } from "./web-log.ts";

/** One request per second; copies expire after 5 seconds, objects 0 to 3 have 1 to 4 KB. */
const log = (...object: number[]): AccessLog => ({
  object: Int32Array.from(object),
  time: Float64Array.from(object, (_, i) => i),
  size: Float64Array.of(1, 2, 3, 4),
  ttl: new Float64Array(4).fill(5),
  rtt: new Float64Array(4).fill(10),
});

it("serves copies until they expire, and stops when an eviction is needed", () => {
  const cache = new Cache(log(0, 1, 0, 1, 1, 0, 2, 0), { capacity: 4 });
  expect(cache.serve()).toBe(true);
  // Object 0 was fetched at second 0: at 5 it has expired.
  expect([cache.hits, cache.requests]).toEqual([3, 6]);
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
  expect(["lru", "lfu", "size", "hybrid"].map((rule) => evictionCandidate(rule as "lru")(cache))).toEqual([
    1, 0, 2, 2,
  ]);
});

it("considers only the oldest if requested, and ages old popularity", () => {
  const cache = new Cache(log(1, 1, 0, 2, 2, 3), { capacity: 6 });
  cache.serve();
  expect(evictionCandidate("size", 2)(cache)).toBe(1);
  // All are of one size and two fit: object 0 was requested three times at first, then 1, 2 and 3 once each, in
  // turn.
  const even = {
    ...log(0, 0, 0, 1, 2, 3, 1, 2, 3),
    size: new Float64Array(4).fill(1),
    ttl: new Float64Array(4).fill(99),
  };
  const victims = (choose: (c: Cache) => number) => {
    const small = new Cache(even, { capacity: 2 });
    const out: number[] = [];
    while (small.serve()) small.evict(out[out.push(choose(small)) - 1]);
    return out;
  };
  expect(victims(evictionCandidate("hybrid"))).toEqual([1, 2, 3, 1, 2]);
  // Each victim raises later priorities by one: the third newcomer has the priority of object 0, which is older.
  for (const power of [0, 1]) expect(victims(gdsf(power))).toEqual([1, 2, 0, 3, 1]);
});

it("records each candidate's trajectory: requested in time, or expired before; and reward 0 if evicted", () => {
  const requests = { ...log(0, 1, 2, 1, 0), size: Float64Array.of(1, 1, 1, 1) };
  const record = recordEvictions(requests, {
    capacity: 2,
    candidates: 2,
    interval: 1,
    gamma: 0.9,
    choose: () => 0,
  });
  const rows = Array.from(record.action.data, (bit, i) => [
    bit,
    record.reward.data[i],
    record.discount.data[i] > 0,
  ]);
  const [out, waits, hit, expires] = [
    [1, 0, false],
    [0, 0, true],
    [0, 1, false],
    [0, 0, false],
  ];
  expect(rows).toEqual([
    // At second 2 object 0 is requested in 2 seconds and object 1 in one; copies last until seconds 5 and 6.
    ...[out, waits, hit],
    ...[out, hit],
    // After second 4 objects 2 and 1 are not requested again; copies last until seconds 7 and 6.
    ...[out, waits, waits, expires],
    ...[out, waits, expires],
  ]);
  // Object 0 has waited one second more, and expires one second sooner.
  expect(record.next.data[6]).toBeCloseTo(Math.log1p(3) / 4);
  expect(record.next.data[10]).toBeCloseTo(2 / 300);
});

it("generates logs with many requests for popular pages and many objects that are requested once", () => {
  const made = webLog({ requests: 5000, seed: 3 });
  expect(made).toEqual(webLog({ requests: 5000, seed: 3 }));
  expect(made.time.every((t, i) => i === 0 || t >= made.time[i - 1])).toBe(true);
  const counts = new Map<number, number>();
  for (const o of made.object) counts.set(o, (counts.get(o) ?? 0) + 1);
  const once = [...counts.values()].filter((n) => n === 1).length;
  expect(once / 5000).toBeGreaterThan(0.2);
  expect(Math.max(...counts.values())).toBeGreaterThan(100);
});
