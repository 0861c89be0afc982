import type { AccessLog } from "./web-log.ts";

/** Features of a cached object. */
export interface CachedObject {
  readonly object: number;
  /** Position of its last request in the log. */
  readonly request: number;
  /** Seconds since the last request. */
  readonly age: number;
  /** KB. */
  readonly size: number;
  /** Requests served from this copy. */
  readonly hits: number;
  /** Seconds between the last two requests; 0 if there was only one. */
  readonly gap: number;
  /** Seconds until the copy expires; negative if it has expired. */
  readonly ttl: number;
  /** Latency of the origin in milliseconds. */
  readonly rtt: number;
}

/** Fetch time, position of the last request, time between the last two, and requests served. */
type Copy = { fetched: number; request: number; gap: number; hits: number };

/**
 * A cache in front of an origin, driven by a recorded log. A copy serves requests until it expires; an expired one
 * is fetched again on its next request. It pauses whenever an eviction is needed, and resumes when there is room.
 */
export class Cache {
  /** Requests seen, and cache hits, since the warm-up. */
  requests = 0;
  hits = 0;
  private readonly log: AccessLog;
  private readonly capacity: number;
  private readonly warmUp: number;
  /** The next request. */
  private at = 0;
  private used = 0;
  /** Cached objects, least recently used first: a Map keeps insertion order. */
  private readonly copies = new Map<number, Copy>();

  constructor(log: AccessLog, options: { readonly capacity: number; readonly warmUp?: number }) {
    this.log = log;
    this.capacity = options.capacity;
    this.warmUp = options.warmUp ?? 0;
  }

  /** Serves requests until one needs an eviction; false at the end of the log. */
  serve(): boolean {
    const { object: objects, size } = this.log;
    for (; this.at < objects.length; this.at++) {
      const object = objects[this.at];
      const copy = this.copies.get(object);
      // Objects larger than the cache are not cached.
      if (!copy && size[object] <= this.capacity && this.used + size[object] > this.capacity) return true;
      this.request(object, this.log.time[this.at]);
    }
    return false;
  }

  private request(object: number, now: number): void {
    const counts = this.at >= this.warmUp;
    if (counts) this.requests++;
    const copy = this.copies.get(object);
    if (!copy) {
      if (this.log.size[object] > this.capacity) return;
      this.used += this.log.size[object];
      this.copies.set(object, { fetched: now, request: this.at, gap: 0, hits: 0 });
      return;
    }
    const good = now < copy.fetched + this.log.ttl[object];
    if (good && counts) this.hits++;
    this.copies.delete(object);
    this.copies.set(object, {
      fetched: good ? copy.fetched : now,
      request: this.at,
      gap: now - this.log.time[copy.request],
      hits: good ? copy.hits + 1 : 0,
    });
  }

  /** The cached objects, least recently used first; the first `count` of them if given. */
  *oldest(count = Number.POSITIVE_INFINITY): Generator<CachedObject> {
    const { size, ttl, rtt, time } = this.log;
    const { now } = this;
    let left = count;
    for (const [object, { fetched, request, gap, hits }] of this.copies) {
      if (left-- <= 0) return;
      const age = now - time[request];
      yield {
        object,
        request,
        age,
        size: size[object],
        hits,
        gap,
        ttl: fetched + ttl[object] - now,
        rtt: rtt[object],
      };
    }
  }

  /** Evicts a copy. */
  evict(object: number): void {
    if (this.copies.delete(object)) this.used -= this.log.size[object];
  }

  /** Hit rate. */
  get hitRatio(): number {
    return this.hits / Math.max(1, this.requests);
  }

  /** Time of the request that is waiting for room. */
  get now(): number {
    return this.log.time[this.at];
  }
}
