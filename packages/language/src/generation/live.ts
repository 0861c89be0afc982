import type { GptParams } from "@reins/nn";
import { breath } from "./breath.ts";
import { checkRequest } from "./check-request.ts";
import { type Asking, Lane, type Lanes } from "./lane.ts";
import { Decoder } from "./machine.ts";
import type { GeneratorOptions } from "./options.ts";
import { type Generated, type Request, type Sequence, sequenceOf } from "./sequence.ts";

/** Settings of a {@link LiveGenerator}. */
export interface LiveOptions extends GeneratorOptions {
  /** Most tokens of a text and its prompt (default: the model's context). Caches for all rows are this long. */
  readonly capacity?: number;
}

/** A text that somebody waits for. */
interface Wish extends Asking {
  readonly lane: Lane;
  readonly sequence: Sequence;
  readonly done: (text: Generated) => void;
  readonly failed: (reason: unknown) => void;
}

/**
 * Continues texts that come and go: whoever asks joins those that are being written, at the next token, and gets a promise of its own. A
 * conversation holds a {@link Lane} from its first turn to its last, with caches that no other may overwrite, so that each turn reads what
 * is new and nothing else. What a lane writes depends on its own texts and seeds alone, to the last bit, whatever is written beside it.
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

  /** Goes on with other weights, also in the middle of texts: what they have written so far stays as it is. */
  use(params: GptParams): void {
    this.machine.use(params);
  }

  /** New texts share nothing with what was written so far. */
  forget(): void {
    this.machine.forget();
  }

  /** Tokens of prompts that were read so far: those that no cache had. */
  get read(): number {
    return this.machine.read;
  }

  /** Lanes that nobody holds. */
  get vacant(): number {
    return this.free.length;
  }

  /** Who waits for a lane. */
  get waiting(): number {
    return this.queue.length;
  }

  /** A lane, as soon as one is free; who asked first gets one first. */
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
      // A signal may live longer than a text, and should not know of all that there ever were.
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

  /** Gives a text up. */
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

  /** Writes on as long as there is something to write. */
  private async run(): Promise<void> {
    this.running = true;
    try {
      // Those who ask at the same time begin together: their prompts are read in one pass.
      for (await breath(); this.step(); await breath());
    } finally {
      this.running = false;
    }
  }

  /** A token for every text under way, those who just asked among them. Whether there was anything to write. */
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

  /** What cannot be computed is told to all who wait for it; the next to ask may have better luck. */
  private refuse(error: unknown): void {
    const all = this.wishes.filter((w) => w !== undefined);
    for (const { lane } of all) this.leave(lane.row);
    this.machine.forget();
    for (const { failed } of all) failed(error);
  }
}
