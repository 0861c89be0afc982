import { fail } from "@reins/core";
import type { Gpt, GptParams } from "@reins/nn";
import { checkPicture, type Picture } from "../models/pictures.ts";
import { Machine } from "./machine.ts";
import type { Sampling } from "./sampling.ts";

/** Something to continue. */
export interface Request {
  readonly prompt: readonly number[];
  /** What stands in the places of the prompt's placeholders, for models that read pictures. */
  readonly picture?: Picture;
  /** The same seed gives the same continuation, whatever else is generated beside it. */
  readonly seed: number;
  /** Most tokens to add. */
  readonly limit: number;
  /** Tokens that may follow; see {@link Constraint}. */
  readonly constraint?: Constraint;
  /** Ends the text when it says so, given all tokens so far: stop strings, budgets. */
  readonly stop?: (tokens: readonly number[]) => boolean;
}

/** What may follow: called with the tokens so far, it marks the allowed ones. */
export type Constraint = (tokens: readonly number[], allowed: Uint8Array) => void;

/** A continuation, and how likely each of its tokens was. */
export interface Generated {
  readonly tokens: readonly number[];
  /** Under the distribution that was sampled from. */
  readonly logProbs: readonly number[];
  /** Under the model itself. */
  readonly modelLogProbs: readonly number[];
  /** How uncertain the sampling distribution was at each token, in nats. */
  readonly entropies: readonly number[];
  /** The weights' version at each token. */
  readonly versions: readonly number[];
  /** The tokens that could have been drawn at each, a bit for each of the vocabulary, where they are recorded. */
  readonly kept?: readonly Int32Array[];
  readonly ended: "end" | "stop" | "limit" | "paused";
}

/** Settings of {@link Generator}. */
export interface GeneratorOptions {
  readonly model: Gpt;
  /** Read at every step: change them in place, or replace them with {@link Generator.use}. */
  readonly params: GptParams;
  readonly vocabulary: number;
  readonly context: number;
  /** The token that ends a text. */
  readonly end: number;
  readonly sampling?: Sampling;
  /** Notes with each token which ones could have been drawn: what learning needs where sampling leaves some out. */
  readonly record?: boolean;
  /** Sequences that grow at the same time (default 64). More use the processor better and take more memory. */
  readonly rows?: number;
  /** Changes whenever the weights do. Texts of the same version share what they have in common, also between calls. */
  readonly version?: () => number;
}

/** A text that grows. */
export interface Sequence {
  readonly request: Request;
  readonly order: number;
  readonly tokens: number[];
  readonly logProbs: number[];
  readonly modelLogProbs: number[];
  readonly entropies: number[];
  readonly versions: number[];
  readonly kept?: Int32Array[];
  ended: Generated["ended"];
}

/** Continues many prompts at once, each row with a cache of its own; new ones take the place of those that end. */
export class Generator {
  private readonly options: GeneratorOptions;
  private params: GptParams;
  private readonly machines = new Map<string, Machine>();
  /** Tokens generated so far. */
  tokens = 0;

  constructor(options: GeneratorOptions) {
    this.options = options;
    this.params = options.params;
  }

  /** Goes on with other weights, also in the middle of texts: what they have written so far stays as it is. */
  use(params: GptParams): void {
    this.params = params;
    for (const machine of this.machines.values()) machine.use(params);
  }

  /** New texts share nothing with what was written so far: what they come to depends on themselves and each other alone, to the last bit. */
  forget(): void {
    for (const machine of this.machines.values()) machine.forget();
  }

  /** Writes all texts to their ends. */
  generate(requests: readonly Request[]): Generated[] {
    return requests.length ? this.begin(requests).advance() : [];
  }

  /** Texts that are written in stages: advance them a little, look, go on. One such writing at a time. */
  begin(requests: readonly Request[]): Writing {
    const { context, rows = 64 } = this.options;
    for (const { prompt, limit, picture } of requests) {
      if (prompt.length === 0) fail("generate", "a prompt must have at least one token.");
      if (prompt.length + 1 > context)
        fail(
          "generate",
          `a prompt has ${prompt.length} tokens; the model's context is ${context}. Shorten it.`,
        );
      if (!(limit >= 1)) fail("generate", `the limit is ${limit}; it must be at least 1.`);
      if (picture) checkPicture(this.options.model, prompt, picture);
    }
    const longest = requests.reduce((most, r) => Math.max(most, r.prompt.length + r.limit), 0);
    const capacity = Math.min(context, 32 * Math.ceil(longest / 32));
    const width = Math.min(rows, 2 ** Math.ceil(Math.log2(requests.length)));
    const constrained = requests.some((r) => r.constraint);
    const key = `${width} ${capacity} ${constrained}`;
    let machine = this.machines.get(key);
    if (!machine)
      this.machines.set(
        key,
        (machine = new Machine(this.options, this.params, width, capacity, constrained)),
      );
    if (!this.options.version) machine.forget();
    return new Writing(machine, requests, () => this.tokens++, this.options.record);
  }
}

/** Texts under way. */
export class Writing {
  private readonly all: readonly Sequence[];
  private readonly waiting: Sequence[];
  private readonly playing: (Sequence | undefined)[];
  private readonly machine: Machine;
  private readonly count: () => void;

  constructor(machine: Machine, requests: readonly Request[], count: () => void, record = false) {
    this.machine = machine;
    this.count = count;
    this.all = requests.map((request, order) => ({
      request,
      order,
      tokens: [],
      logProbs: [],
      modelLogProbs: [],
      entropies: [],
      versions: [],
      ...(record ? { kept: [] } : {}),
      ended: "paused",
    }));
    this.waiting = [...this.all];
    this.playing = Array(machine.rows).fill(undefined);
  }

  /** Whether every text has ended. */
  get done(): boolean {
    return this.waiting.length === 0 && this.playing.every((s) => !s);
  }

  /** Grows every text that has a row by at most so many tokens. Texts that have not ended are `paused`; calling again goes on. */
  advance(steps = Number.POSITIVE_INFINITY): Generated[] {
    const { machine, playing, waiting } = this;
    for (let step = 0; step < steps; step++) {
      const free = playing.filter((s) => !s).length;
      // Prompts are read several at a time: one by one would cost a pass for each.
      if (waiting.length && (free === machine.rows || free >= Math.min(waiting.length, machine.rows / 4)))
        machine.admit(playing, waiting);
      if (playing.every((s) => !s)) break;
      machine.step(playing);
      for (let r = 0; r < machine.rows; r++) {
        const sequence = playing[r];
        if (!sequence) continue;
        this.count();
        const ended = machine.read(r, sequence);
        if (!ended) continue;
        sequence.ended = ended;
        playing[r] = undefined;
      }
    }
    return [...this.all];
  }
}
