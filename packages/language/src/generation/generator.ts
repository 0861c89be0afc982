import type { GptParams } from "@reins/nn";
import { checkRequest } from "./check-request.ts";
import { Decoder } from "./decoder.ts";
import type { GeneratorOptions } from "./options.ts";
import { type Generated, type Request, type Sequence, sequenceOf } from "./sequence.ts";

/**
 * Continues many prompts in one batch, each row with its own KV cache; waiting prompts take rows as they become free.
 */
export class TextGenerator {
  private readonly options: GeneratorOptions;
  private params: GptParams;
  private readonly decoders = new Map<string, Decoder>();
  /** Tokens generated so far. */
  tokens = 0;

  constructor(options: GeneratorOptions) {
    this.options = options;
    this.params = options.params;
  }

  /** Switches to other weights, also in the middle of texts; tokens generated so far stay. */
  use(params: GptParams): void {
    this.params = params;
    for (const decoder of this.decoders.values()) decoder.use(params);
  }

  /** Drops the prefix cache: new texts depend only on themselves and each other, to the last bit. */
  forget(): void {
    for (const decoder of this.decoders.values()) decoder.forget();
  }

  /** Generates all texts to their ends. */
  generate(requests: readonly Request[]): Generated[] {
    return requests.length ? this.begin(requests).advance() : [];
  }

  /** Starts a generation that is advanced in stages. Only one at a time. */
  begin(requests: readonly Request[]): Generation {
    const { context, rows = 64 } = this.options;
    for (const request of requests) checkRequest(request, this.options);
    const longest = requests.reduce((most, r) => Math.max(most, r.prompt.length + r.limit), 0);
    const capacity = Math.min(context, 32 * Math.ceil(longest / 32));
    const width = Math.min(rows, 2 ** Math.ceil(Math.log2(requests.length)));
    const key = `${width} ${capacity}`;
    let decoder = this.decoders.get(key);
    if (!decoder) this.decoders.set(key, (decoder = new Decoder(this.options, this.params, width, capacity)));
    if (!this.options.version) decoder.forget();
    return new Generation(decoder, requests, () => this.tokens++, this.options.record);
  }
}

/** A generation in progress. */
export class Generation {
  private readonly all: readonly Sequence[];
  private readonly waiting: Sequence[];
  private readonly active: (Sequence | undefined)[];
  private readonly decoder: Decoder;
  private readonly count: () => void;

  constructor(decoder: Decoder, requests: readonly Request[], count: () => void, record = false) {
    this.decoder = decoder;
    this.count = count;
    this.all = requests.map((request, order) => sequenceOf(request, order, record));
    this.waiting = [...this.all];
    this.active = Array(decoder.rows).fill(undefined);
  }

  /** Whether every text has ended. */
  get done(): boolean {
    return this.waiting.length === 0 && this.active.every((s) => !s);
  }

  /**
   * Adds at most `steps` tokens to every text that has a row. Unfinished texts are `paused`; call again to continue.
   */
  advance(steps = Number.POSITIVE_INFINITY): Generated[] {
    const { decoder, active, waiting } = this;
    for (let step = 0; step < steps; step++) {
      const free = active.filter((s) => !s).length;
      // Prefill several prompts at a time: one by one would cost a pass for each.
      if (waiting.length && (free === decoder.rows || free >= Math.min(waiting.length, decoder.rows / 4)))
        decoder.admit(active, waiting);
      if (active.every((s) => !s)) break;
      decoder.step(active);
      for (let r = 0; r < decoder.rows; r++) {
        const sequence = active[r];
        if (!sequence) continue;
        this.count();
        const ended = decoder.note(r, sequence);
        if (!ended) continue;
        sequence.text.ended = ended;
        active[r] = undefined;
      }
    }
    return this.all.map(({ text }) => text);
  }
}
