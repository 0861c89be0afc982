import { defaultRng, type Generator } from "@reins/core";

/** An access log: who asked for what and when, and what the objects are like. */
export interface AccessLog {
  /** For each request the object, and the second in which it came. */
  readonly object: Int32Array;
  readonly time: Float64Array;
  /** For each object its size in KB, for how many seconds a copy is good, and how many milliseconds the origin takes. */
  readonly size: Float64Array;
  readonly ttl: Float64Array;
  readonly rtt: Float64Array;
}

/** How a synthetic log is made. */
export interface WebLogOptions {
  readonly requests: number;
  readonly seed: number;
  /** Pages whose popularity follows Zipf's law. */
  readonly pages?: number;
  /** Large files that are asked for now and then, all alike. */
  readonly files?: number;
}

/** Kinds of content: median size and its spread (of the logarithm), life of a copy, distance of the origin. */
const kinds = {
  page: { size: 20, spread: 1, ttl: [300, 1800], rtt: 40 },
  burst: { size: 40, spread: 0.7, ttl: [120, 600], rtt: 30 },
  scan: { size: 120, spread: 0.5, ttl: [600, 3600], rtt: 90 },
  file: { size: 1500, spread: 0.5, ttl: [1800, 3600], rtt: 200 },
} as const;

/**
 * A site's traffic of about ten requests a second, made to be hard for recency alone: popular pages; bursts, objects that many ask for within
 * a minute and nobody afterwards; scans, runs of objects that are asked for once; and a few large files.
 */
export function webLog({ requests, seed, pages = 500, files = 60 }: WebLogOptions): AccessLog {
  const random = defaultRng(seed);
  const objects: { size: number; ttl: number; rtt: number }[] = [];
  const make = (kind: keyof typeof kinds): number => {
    const { size, spread, ttl, rtt } = kinds[kind];
    return (
      objects.push({
        size: size * Math.exp(spread * random.standardNormal()),
        ttl: random.uniform(ttl[0], ttl[1]),
        rtt: rtt * Math.exp(0.3 * random.standardNormal()),
      }) - 1
    );
  };
  const popular = Array.from({ length: pages }, () => make("page"));
  const large = Array.from({ length: files }, () => make("file"));
  const share = zipf(pages, 0.9);

  const log: { object: number; time: number }[] = [];
  const ask = (object: number, time: number) => log.push({ object, time });
  for (let now = 0; log.length < requests; now += random.exponential(0.1)) {
    const kind = random.random();
    if (kind < 0.004) scan(random, now, () => make("scan"), ask);
    else if (kind < 0.02) burst(random, now, make("burst"), ask);
    else if (kind < 0.07) ask(large[random.integers(files)], now);
    else ask(popular[first(share, random.random())], now);
  }
  // Scans and bursts reach ahead of what comes after them.
  const ordered = log.sort((a, b) => a.time - b.time).slice(0, requests);
  return {
    object: Int32Array.from(ordered, (r) => r.object),
    time: Float64Array.from(ordered, (r) => r.time),
    size: Float64Array.from(objects, (o) => o.size),
    ttl: Float64Array.from(objects, (o) => o.ttl),
    rtt: Float64Array.from(objects, (o) => o.rtt),
  };
}

type Ask = (object: number, time: number) => void;

/** A crawler: some dozens of objects, one after the other, five a second. */
function scan(random: Generator, now: number, make: () => number, ask: Ask): void {
  const length = random.integers(30, 90);
  for (let i = 0; i < length; i++) ask(make(), now + i * 0.2);
}

/** A crowd: about ten requests for one object within a minute. */
function burst(random: Generator, now: number, object: number, ask: Ask): void {
  const length = random.integers(5, 16);
  for (let i = 0; i < length; i++) ask(object, now + random.exponential(20));
}

/** Cumulative shares in proportion to 1 / rank^exponent. */
function zipf(count: number, exponent: number): Float64Array {
  const sums = new Float64Array(count);
  for (let i = 0; i < count; i++) sums[i] = (i ? sums[i - 1] : 0) + (i + 1) ** -exponent;
  return sums.map((s) => s / sums[count - 1]);
}

/** The first entry above x. */
function first(sums: Float64Array, x: number): number {
  let [low, high] = [0, sums.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sums[middle] > x) high = middle;
    else low = middle + 1;
  }
  return low;
}
