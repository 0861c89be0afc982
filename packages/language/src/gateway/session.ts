import { CallTree } from "./call-tree.ts";

/** Everything that one key has asked for: a conversation, several at once, retries and branches among them. */
export class Session {
  readonly key: string;
  readonly tree = new CallTree();
  /** Seeds of its replies come from this one, in the order of its calls. */
  readonly seed: number;
  /** Whether what it asks for is drawn without chance. */
  readonly greedy: boolean;
  /** Calls so far, those that failed among them. */
  calls = 0;
  /** Prompt tokens, those found in a cache among them, and tokens of replies. */
  usage = { prompt: 0, cached: 0, completion: 0 };
  private readonly over = new AbortController();

  constructor(key: string, seed: number, greedy: boolean) {
    this.key = key;
    this.seed = seed;
    this.greedy = greedy;
  }

  get signal(): AbortSignal {
    return this.over.signal;
  }

  /** Ends what is still being written for it. */
  close(): void {
    this.over.abort(new Error("The session has ended."));
  }
}
