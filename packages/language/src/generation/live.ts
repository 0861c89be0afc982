import type { GptParams } from "@reins/nn";
import { breath } from "./breath.ts";
import { checkRequest } from "./check-request.ts";
import { type Asking, Lane, type Lanes } from "./lane.ts";
import { Decoder } from "./machine.ts";
import type { GeneratorOptions } from "./options.ts";
import { type Generated, type Request, type Sequence, sequenceOf } from "./sequence.ts";

/** Settings of a {@link LiveGenerator}. */
export interface LiveOptions extends GeneratorOptions {
  /**
   * Maximum tokens of a prompt and its completion (default: the model's context). KV caches of all rows have this
   * length.
   */
  readonly capacity?: number;
}

/** A pending request. */
interface Wish extends Asking {
  readonly lane: Lane;
  readonly sequence: Sequence;
  readonly done: (text: Generated) => void;
  readonly failed: (reason: unknown) => void;
}

/**
 * Continuous batching: a new request joins the batch at the next token and gets its own promise. A conversation holds
 * a {@link Lane} from its first turn to its last, with a KV cache that no other conversation overwrites, so that each
 * turn prefills only its new tokens. The output of a slot depends only on its own texts and seeds, to the last bit,
 * whatever else is in the batch.
 */
export class LiveGenerator implements Lanes {
  private readonly options: GeneratorOptions;
  private readonly machine: Decoder;
  private readonly playing: (Sequence | undefined)[];
  private readonly wishes: (Wish | undefined)[];
  private readonly free: number[];
  private readonly queue: ((row: number) => void)[] = [];
  private asked: Wish[] = [];
  private running = false;
  /** Tokens generated so far. */
  tokens = 0;

  constructor(options: LiveOptions) {
    const { rows = 64, context, capacity = context, params } = options;
    this.options = { ...options, context: Math.min(context, capacity) };
    this.machine = new Decoder(options, params, rows, this.options.context);
    this.playing = Array(rows).fill(undefined);
    this.wishes = Array(rows).fill(undefined);
    this.free = Array.from({ length: rows }, (_, r) => rows - 1 - r);
  }

  /** Switches to other weights, also in the middle of texts; tokens generated so far stay. */
  use(params: GptParams): void {
    this.machine.use(params);
  }

  /** Drops the prefix cache: new texts share nothing with earlier ones. */
  forget(): void {
    this.machine.forget();
  }

  /** Prompt tokens computed so far, cache hits excluded. */
  get read(): number {
    return this.machine.read;
  }

  /** Number of free slots. */
  get vacant(): number {
    return this.free.length;
  }

  /** Number of callers waiting for a slot. */
  get waiting(): number {
    return this.queue.length;
  }

  /** Resolves with a slot as soon as one is free, first come, first served. */
  lane(): Promise<Lane> {
    return new Promise((done) => {
      const give = (row: number) => done(new Lane(this, row));
      const row = this.free.pop();
      if (row === undefined) this.queue.push(give);
      else give(row);
    });
  }

  /** @internal */
  release(row: number): void {
    this.machine.vacate(row);
    const next = this.queue.shift();
    if (next) next(row);
    else this.free.push(row);
  }

  /** @internal */
  copy(from: number, to: number): void {
    this.machine.copy(from, to);
  }

  /** @internal */
  write(lane: Lane, request: Request, { signal, seen }: Asking): Promise<Generated> {
    checkRequest(request, this.options);
    signal?.throwIfAborted();
    return new Promise((done, failed) => {
      const sequence = sequenceOf(request, 0, this.options.record ?? false);
      const drop = () => this.drop(wish);
      // Remove the listener: the signal may outlive the text.
      const quiet =
        <T>(then: (value: T) => void) =>
        (value: T) => {
          signal?.removeEventListener("abort", drop);
          then(value);
        };
      const wish: Wish = { lane, sequence, signal, seen, done: quiet(done), failed: quiet(failed) };
      signal?.addEventListener("abort", drop);
      this.asked.push(wish);
      if (!this.running) void this.run();
    });
  }

  /** Cancels a request. */
  private drop(wish: Wish): void {
    const waiting = this.asked.indexOf(wish);
    if (waiting >= 0) this.asked.splice(waiting, 1);
    else if (this.wishes[wish.lane.row] === wish) this.leave(wish.lane.row);
    else return;
    wish.failed(wish.signal!.reason);
  }

  private leave(row: number): void {
    this.playing[row] = undefined;
    this.wishes[row] = undefined;
  }

  /** Generates while there are requests. */
  private async run(): Promise<void> {
    this.running = true;
    try {
      // Requests of the same tick start together: one prefill for all their prompts.
      for (await breath(); this.step(); await breath());
    } finally {
      this.running = false;
    }
  }

  /** Generates one token for every active text, new requests included. Returns whether there was anything to do. */
  private step(): boolean {
    const { machine, playing, wishes } = this;
    try {
      this.begin();
      if (playing.every((s) => !s)) return false;
      machine.step(playing, (row, error) => {
        const { failed } = wishes[row]!;
        this.leave(row);
        failed(error);
      });
    } catch (error) {
      this.refuse(error);
      return true;
    }
    for (let row = 0; row < machine.rows; row++) {
      const sequence = playing[row];
      if (!sequence) continue;
      this.tokens++;
      const ended = machine.note(row, sequence);
      const wish = wishes[row]!;
      wish.seen?.(sequence);
      if (!ended) continue;
      sequence.ended = ended;
      this.leave(row);
      wish.done(sequence);
    }
    return true;
  }

  private begin(): void {
    if (this.asked.length === 0) return;
    const wishes = this.asked;
    this.asked = [];
    for (const wish of wishes) this.wishes[wish.lane.row] = wish;
    this.machine.join(
      this.playing,
      wishes.map(({ lane, sequence }) => ({ row: lane.row, sequence })),
    );
  }

  /** Rejects all pending requests after a failed computation; later requests may succeed. */
  private refuse(error: unknown): void {
    const all = this.wishes.filter((w) => w !== undefined);
    for (const { lane } of all) this.leave(lane.row);
    this.machine.forget();
    for (const { failed } of all) failed(error);
  }
}
