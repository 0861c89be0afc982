import { defaultRng, type Generator } from "@reins/core/random";
import { real } from "@reins/tensor";

/** An access log: requests with their times, and properties of the objects. */
export interface AccessLog {
  /** The object and the time in seconds of each request. */
  readonly object: Int32Array;
  readonly time: Float64Array;
  /** For each object its size in KB, its lifetime in seconds, and the origin's latency in milliseconds. */
  readonly size: Float64Array;
  readonly ttl: Float64Array;
  readonly rtt: Float64Array;
}

/** Options of a synthetic log. */
export interface WebLogOptions {
  readonly requests: number;
  readonly seed: number;
  /** Objects in constant demand, the first ones most. */
  readonly popular?: number;
  /** Objects of the archive, with rare requests. */
  readonly archive?: number;
}

/**
 * Content types: median size and its spread (of the logarithm), minimum and maximum lifetime, latency of the
 * origin.
 */
const kinds = {
  popular: { size: 80, spread: 0.6, ttl: [60, 240], rtt: 60 },
  archive: { size: 60, spread: 0.8, ttl: [60, 600], rtt: 60 },
  burst: { size: 40, spread: 0.6, ttl: [300, 900], rtt: 40 },
  scan: { size: 30, spread: 0.5, ttl: [300, 900], rtt: 90 },
} as const;

/**
 * Traffic of about ten requests per second that defeats every simple rule: objects in constant demand, which are
 * larger than the rest and must be refetched every few minutes; an archive of rarely requested ones; bursts,
 * objects with many requests within a minute and none afterwards; and scans, runs of small objects that are
 * requested once.
 */
export function webLog({ requests, seed, popular = 60, archive = 3000 }: WebLogOptions): AccessLog {
  const random = defaultRng(seed);
  const objects: { size: number; ttl: number; rtt: number }[] = [];
  const make = (kind: keyof typeof kinds): number => {
    const { size, spread, ttl, rtt } = kinds[kind];
    const object = {
      size: size * real.exp(spread * random.standardNormal()),
      ttl: random.uniform(ttl[0], ttl[1]),
      rtt: rtt * real.exp(0.4 * random.standardNormal()),
    };
    return objects.push(object) - 1;
  };
  const wanted = Array.from({ length: popular }, () => make("popular"));
  const stored = Array.from({ length: archive }, () => make("archive"));
  const shares = zipf(popular, 0.7);

  const log: { object: number; time: number }[] = [];
  const ask = (object: number, time: number) => log.push({ object, time });
  for (let now = 0; log.length < requests; now += random.exponential(0.2)) {
    const kind = random.random();
    if (kind < 0.01) scan(random, now, () => make("scan"), ask);
    else if (kind < 0.03) burst(random, now, make("burst"), ask);
    else if (kind < 0.3) ask(random.choice(stored), now);
    else ask(wanted[first(shares, random.random())], now);
  }
  // Scans and bursts extend beyond the requests that follow them.
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

/** A crawler: some dozens of objects, one after the other, five per second. */
function scan(random: Generator, now: number, make: () => number, ask: Ask): void {
  const length = random.integers(30, 90);
  for (let i = 0; i < length; i++) ask(make(), now + i * 0.2);
}

/** A crowd: a dozen requests for one object within a minute. */
function burst(random: Generator, now: number, object: number, ask: Ask): void {
  const length = random.integers(6, 20);
  for (let i = 0; i < length; i++) ask(object, now + random.exponential(15));
}

/** Cumulative probabilities in proportion to 1 / rank^exponent. */
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
