import { stream } from "@reins/core";
import { hash } from "../tasks/draw.ts";
import { CallTree } from "./call-tree.ts";

/** Everything that one key has asked for: a conversation, several at once, retries and branches among them. */
export class Session {
  readonly key: string;
  tree = new CallTree();
  /** Seeds of its replies come from this one. */
  readonly seed: number;
  /** Whether what it asks for is drawn without chance. */
  readonly greedy: boolean;
  /** Whether what it was told is forgotten after a while: nobody learns from it. */
  readonly passing: boolean;
  /** Calls so far, those that failed among them. */
  calls = 0;
  private readonly asked = new Map<string, number>();
  private readonly over = new AbortController();

  constructor(key: string, { seed, greedy, passing }: Pick<Session, "seed" | "greedy" | "passing">) {
    this.key = key;
    this.seed = seed;
    this.greedy = greedy;
    this.passing = passing;
  }

  /** Notes a call. One that nobody learns from keeps some hundred replies, from which clients may go on. */
  count(): number {
    if (this.passing && this.tree.replies >= 512) {
      this.tree = new CallTree();
      this.asked.clear();
    }
    return this.calls++;
  }

  /** The seed of a reply: by what is asked, and how often it was asked before. Which of several calls comes first does not matter. */
  seedFor(tokens: readonly number[]): number {
    const key = tokens.join();
    const times = this.asked.get(key) ?? 0;
    this.asked.set(key, times + 1);
    return stream(stream(this.seed, "question", hash(key)), "times", times);
  }

  get signal(): AbortSignal {
    return this.over.signal;
  }

  /** Ends what is still being written for it. */
  close(): void {
    this.over.abort(new Error("The session has ended."));
  }
}
