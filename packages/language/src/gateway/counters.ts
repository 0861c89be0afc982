import { Histogram } from "./histogram.ts";

/** Paths of the API. */
export const paths: readonly string[] = [
  ...[
    "/v1/chat/completions",
    "/v1/completions",
    "/v1/responses",
    "/v1/embeddings",
    "/v1/score",
    "/v1/models",
  ],
  ...["/health", "/metrics"],
];

/** Counters of one model. */
export class EngineCounters {
  /** Tokens of prompts, those of them found in the prefix cache, and tokens of replies. */
  prompt = 0;
  cached = 0;
  completion = 0;
  /** Replies that wait for a row, and those that are generated. */
  queued = 0;
  active = 0;
  /** Requests refused because too many replies waited. */
  refused = 0;
  /** Seconds from a request to its first token, and to the end of its replies. */
  readonly first = new Histogram();
  readonly whole = new Histogram();
}

/** Requests by path and status. Unknown paths are counted together, so that clients cannot add series. */
export class RequestCounters {
  private readonly counts = new Map<string, number>();

  add(path: string, status: number): void {
    const labels = `path="${paths.includes(path) ? path : "other"}",status="${status}"`;
    this.counts.set(labels, (this.counts.get(labels) ?? 0) + 1);
  }

  lines(): string[] {
    return [...this.counts].map(([labels, count]) => `reins_requests_total{${labels}} ${count}`);
  }
}
