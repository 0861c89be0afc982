import { stream } from "@reins/core/random";
import { hash } from "../tasks/sample-problem.ts";
import { CallTree } from "./call-tree.ts";

/** All calls of one API key: a conversation, concurrent ones, retries and branches. */
export class Session {
  readonly key: string;
  tree = new CallTree();
  /** Seed from which the seeds of its replies derive. */
  readonly seed: number;
  /** Whether its replies are greedy. */
  readonly greedy: boolean;
  /** Serving only: history is dropped periodically; nothing is trained on it. */
  readonly passing: boolean;
  /** Calls so far, including failed ones. */
  calls = 0;
  private readonly asked = new Map<string, number>();
  private readonly over = new AbortController();

  constructor(key: string, { seed, greedy, passing }: Pick<Session, "seed" | "greedy" | "passing">) {
    this.key = key;
    this.seed = seed;
    this.greedy = greedy;
    this.passing = passing;
  }

  /** Counts a call. A serving-only session keeps a few hundred replies, from which clients may continue. */
  count(): number {
    if (this.passing && this.tree.replies >= 512) {
      this.tree = new CallTree();
      this.asked.clear();
    }
    return this.calls++;
  }

  /**
   * The seed of a reply: by its prompt, and the number of earlier calls with the same prompt. The order of concurrent
   * calls does not matter.
   */
  seedFor(tokens: readonly number[]): number {
    const key = tokens.join();
    const times = this.asked.get(key) ?? 0;
    this.asked.set(key, times + 1);
    return stream(stream(this.seed, "question", hash(key)), "times", times);
  }

  get signal(): AbortSignal {
    return this.over.signal;
  }

  /** Cancels its generations. */
  close(): void {
    this.over.abort(new Error("The session has ended."));
  }
}
