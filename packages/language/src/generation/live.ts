import type { GptParams } from "@reins/nn";
import { checkRequest } from "./check-request.ts";
import { Decoder } from "./decoder.ts";
import { yieldToEventLoop } from "./event-loop.ts";
import type { GeneratorOptions } from "./options.ts";
import { type Generated, type Request, type Sequence, sequenceOf } from "./sequence.ts";
import { type GenerateOptions, Slot, type SlotProvider } from "./slot.ts";

/** Settings of a {@link LiveGenerator}. */
export interface LiveOptions extends GeneratorOptions {
  /**
   * Maximum tokens of a prompt and its completion (default: the model's context). KV caches of all rows have this
   * length.
   */
  readonly capacity?: number;
}

/** Steps that a request waits at most, so that one prefill reads the prompts of several. */
const longestWait = 2;

/** A request waits while more than this many texts are active for each queued request: an idle row costs little then. */
const activePerQueued = 16;

/** A pending request. */
interface PendingRequest extends GenerateOptions {
  readonly slot: Slot;
  readonly sequence: Sequence;
  readonly done: (text: Generated) => void;
  readonly failed: (reason: unknown) => void;
}

/**
 * Continuous batching: a new request joins the batch at the next token, or up to two tokens later while many texts are
 * active, and gets its own promise. A conversation holds
 * a {@link Slot} from its first turn to its last, with a KV cache that no other conversation overwrites, so that each
 * turn prefills only its new tokens. The output of a slot depends only on its own texts and seeds, to the last bit,
 * whatever else is in the batch.
 */
export class LiveGenerator implements SlotProvider {
  private readonly options: GeneratorOptions;
  private readonly decoder: Decoder;
  private readonly active: (Sequence | undefined)[];
  private readonly requests: (PendingRequest | undefined)[];
  private readonly free: number[];
  private readonly waiters: ((row: number) => void)[] = [];
  private queued: PendingRequest[] = [];
  private running = false;
  /** Steps that the first queued request has waited. */
  private waited = 0;
  /** Tokens generated so far. */
  tokens = 0;

  constructor(options: LiveOptions) {
    const { rows = 64, context, capacity = context, params } = options;
    this.options = { ...options, context: Math.min(context, capacity) };
    this.decoder = new Decoder(options, params, rows, this.options.context);
    this.active = Array(rows).fill(undefined);
    this.requests = Array(rows).fill(undefined);
    this.free = Array.from({ length: rows }, (_, r) => rows - 1 - r);
  }

  /** Switches to other weights, also in the middle of texts; tokens generated so far stay. */
  use(params: GptParams): void {
    this.decoder.use(params);
  }

  /** Drops the prefix cache: new texts share nothing with earlier ones. */
  forget(): void {
    this.decoder.forget();
  }

  /** Prompt tokens computed so far, cache hits excluded. */
  get read(): number {
    return this.decoder.read;
  }

  /** Number of free slots. */
  get vacant(): number {
    return this.free.length;
  }

  /** Number of callers waiting for a slot. */
  get waiting(): number {
    return this.waiters.length;
  }

  /** Resolves with a slot as soon as one is free, first come, first served. */
  slot(): Promise<Slot> {
    return new Promise((done) => {
      const give = (row: number) => done(new Slot(this, row));
      const row = this.free.pop();
      if (row === undefined) this.waiters.push(give);
      else give(row);
    });
  }

  /** @internal */
  release(row: number): void {
    this.decoder.vacate(row);
    const next = this.waiters.shift();
    if (next) next(row);
    else this.free.push(row);
  }

  /** @internal */
  reused(row: number): number {
    return this.decoder.reused[row];
  }

  /** @internal */
  copy(from: number, to: number): void {
    this.decoder.copy(from, to);
  }

  /** @internal */
  write(slot: Slot, request: Request, { signal, onToken: seen }: GenerateOptions): Promise<Generated> {
    checkRequest(request, this.options);
    signal?.throwIfAborted();
    return new Promise((done, failed) => {
      const sequence = sequenceOf(request, 0, this.options.record ?? false);
      const drop = () => this.drop(pending);
      // Remove the listener: the signal may outlive the text.
      const settled =
        <T>(then: (value: T) => void) =>
        (value: T) => {
          signal?.removeEventListener("abort", drop);
          then(value);
        };
      const pending: PendingRequest = {
        slot,
        sequence,
        signal,
        onToken: seen,
        done: settled(done),
        failed: settled(failed),
      };
      signal?.addEventListener("abort", drop);
      this.queued.push(pending);
      if (!this.running) void this.run();
    });
  }

  /** Cancels a request. */
  private drop(pending: PendingRequest): void {
    const waiting = this.queued.indexOf(pending);
    if (waiting >= 0) this.queued.splice(waiting, 1);
    else if (this.requests[pending.slot.row] === pending) this.leave(pending.slot.row);
    else return;
    pending.failed(pending.signal!.reason);
  }

  private leave(row: number): void {
    this.active[row] = undefined;
    this.requests[row] = undefined;
  }

  /** Generates while there are requests. */
  private async run(): Promise<void> {
    this.running = true;
    try {
      // Requests of the same tick start together: one prefill for all their prompts.
      for (await yieldToEventLoop(); this.step(); await yieldToEventLoop());
    } finally {
      this.running = false;
    }
  }

  /** Generates one token for every active text, new requests included. Returns whether there was anything to do. */
  private step(): boolean {
    const { decoder, active, requests } = this;
    try {
      this.begin();
      if (active.every((s) => !s)) return false;
      decoder.step(active, (row, error) => {
        const { failed } = requests[row]!;
        this.leave(row);
        failed(error);
      });
    } catch (error) {
      this.refuse(error);
      return true;
    }
    for (let row = 0; row < decoder.rows; row++) {
      const sequence = active[row];
      if (!sequence) continue;
      this.tokens++;
      const pending = requests[row]!;
      try {
        const ended = decoder.note(row, sequence);
        pending.onToken?.(sequence.text);
        if (!ended) continue;
        sequence.text.ended = ended;
        this.leave(row);
        pending.done(sequence.text);
      } catch (error) {
        // An error of the request's own stop or onToken: the other texts continue.
        this.leave(row);
        pending.failed(error);
      }
    }
    return true;
  }

  /** Whether the queued requests wait another step: few while many texts are active, so that fewer prefills are needed. */
  private waits(): boolean {
    const active = this.active.reduce((count, sequence) => (sequence ? count + 1 : count), 0);
    const few = active > activePerQueued * this.queued.length;
    this.waited = few && this.waited < longestWait ? this.waited + 1 : 0;
    return this.waited > 0;
  }

  private begin(): void {
    if (this.queued.length === 0 || this.waits()) return;
    const requests = this.queued;
    this.queued = [];
    for (const pending of requests) this.requests[pending.slot.row] = pending;
    this.decoder.join(
      this.active,
      requests.map(({ slot, sequence }) => ({ row: slot.row, sequence })),
    );
  }

  /** Rejects all pending requests after a failed computation; later requests may succeed. */
  private refuse(error: unknown): void {
    const all = this.requests.filter((w) => w !== undefined);
    for (const { slot } of all) this.leave(slot.row);
    this.decoder.forget();
    for (const { failed } of all) failed(error);
  }
}
