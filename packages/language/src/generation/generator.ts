import { fail } from "@reins/core";
import type { Cache, Gpt, GptParams, GptState } from "@reins/nn";
import {
  type Bound,
  compile,
  concat,
  expandDims,
  random,
  reshape,
  slice,
  type Tensor,
  take,
  tensor,
  vmap,
  where,
  zeros,
} from "@reins/tensor";
import { type Sampling, sample } from "./sampling.ts";

/** Something to continue. */
export interface Request {
  readonly prompt: readonly number[];
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
  /** The weights' version at each token. */
  readonly versions: readonly number[];
  readonly ended: "end" | "stop" | "limit";
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
  /** Sequences that grow at the same time (default 64). More use the processor better and take more memory. */
  readonly rows?: number;
  readonly version?: () => number;
}

interface Sequence {
  readonly request: Request;
  readonly order: number;
  readonly out: { tokens: number[]; logProbs: number[]; modelLogProbs: number[]; versions: number[] };
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

  /** Goes on with other weights, also in the middle of texts. */
  use(params: GptParams): void {
    this.params = params;
    this.machines.clear();
  }

  generate(requests: readonly Request[]): Generated[] {
    if (requests.length === 0) return [];
    const { context, rows = 64 } = this.options;
    const longest = Math.max(...requests.map((r) => r.prompt.length + r.limit));
    for (const { prompt, limit } of requests) {
      if (prompt.length === 0) fail("generate", "a prompt must have at least one token.");
      if (prompt.length + 1 > context)
        fail(
          "generate",
          `a prompt has ${prompt.length} tokens; the model's context is ${context}. Shorten it.`,
        );
      if (!(limit >= 1)) fail("generate", `the limit is ${limit}; it must be at least 1.`);
    }
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
    const results: Generated[] = [];
    const waiting: Sequence[] = requests.map((request, order) => ({
      request,
      order,
      out: { tokens: [], logProbs: [], modelLogProbs: [], versions: [] },
    }));
    const playing: (Sequence | undefined)[] = Array(width).fill(undefined);
    for (;;) {
      const free = playing.filter((s) => !s).length;
      // Caches are filled for several at a time: one by one would cost a pass over all of them each.
      if (waiting.length && (free === width || free >= Math.min(waiting.length, width / 4)))
        machine.admit(playing, waiting);
      if (playing.every((s) => !s)) break;
      machine.step(playing);
      for (let r = 0; r < width; r++) {
        const sequence = playing[r];
        if (!sequence) continue;
        this.tokens++;
        const ended = machine.read(r, sequence, this.options);
        if (!ended) continue;
        results[sequence.order] = { ...sequence.out, ended };
        playing[r] = undefined;
      }
    }
    return results;
  }
}

/** The compiled step of so many rows and positions, with its caches. */
class Machine {
  private readonly state: GptState;
  private readonly current: Tensor;
  private readonly seeds: Tensor;
  private readonly allowed: Tensor | undefined;
  private readonly seen: Tensor | undefined;
  private readonly call: Bound<{ token: Tensor; logProb: Tensor; modelLogProb: Tensor }>;
  private readonly fill: ReturnType<typeof compileFill>;
  private readonly params: GptParams;
  private readonly rows: number;
  private readonly capacity: number;

  constructor(
    options: GeneratorOptions,
    params: GptParams,
    rows: number,
    capacity: number,
    constrained: boolean,
  ) {
    const { model, vocabulary, sampling = {} } = options;
    this.params = params;
    this.rows = rows;
    this.capacity = capacity;
    this.state = model.start(rows, { maximum: capacity, perRow: true });
    this.current = zeros([rows], "i32");
    this.seeds = zeros([rows], "i32");
    this.allowed = constrained ? zeros([rows, vocabulary], "bool") : undefined;
    this.seen = sampling.repetition === undefined ? undefined : zeros([rows, vocabulary], "bool");
    const step = compile(
      (p: GptParams, state: GptState, token: Tensor, seeds: Tensor, allowed?: Tensor, seen?: Tensor) => {
        const { output, state: next } = model.step(p, expandDims(token, 1), state);
        const logits = reshape(output, [rows, vocabulary]);
        // A row's noise depends on its seed and position alone.
        const noise = vmap((seed: Tensor, position: Tensor) =>
          random.gumbel(random.foldKey(random.foldKey(random.key(0), seed), position), [vocabulary]),
        )(seeds, next.position);
        return { ...sample(logits, sampling, { noise, allowed, seen }), state: next };
      },
      { name: "generate", donate: [1] },
    );
    this.call = step.bind(params, this.state, this.current, this.seeds, this.allowed, this.seen) as never;
    this.fill = compileFill(model, rows, capacity);
  }

  /** Gives free rows what waits: prompts that several share are read once. */
  admit(playing: (Sequence | undefined)[], waiting: Sequence[]): void {
    const fresh = new Uint8Array(this.rows);
    const sources = new Int32Array(this.rows);
    const prompts = new Map<string, { index: number; tokens: readonly number[] }>();
    for (let r = 0; r < this.rows && waiting.length; r++) {
      if (playing[r]) continue;
      const sequence = waiting.shift()!;
      playing[r] = sequence;
      const { prompt, seed } = sequence.request;
      const before = prompt.slice(0, -1);
      const key = before.join();
      const found = prompts.get(key) ?? { index: prompts.size, tokens: before };
      prompts.set(key, found);
      fresh[r] = 1;
      sources[r] = found.index;
      this.current.data[r] = prompt[prompt.length - 1];
      this.seeds.data[r] = seed;
      this.state.position.data[r] = before.length;
      if (this.seen) {
        const row = this.seen.data.subarray(r * this.seen.shape[1], (r + 1) * this.seen.shape[1]);
        row.fill(0);
        for (const t of prompt) row[t] = 1;
      }
    }
    const longest = Math.max(...[...prompts.values()].map((p) => p.tokens.length));
    if (longest === 0) return;
    const length = Math.min(this.capacity, 16 * Math.ceil(longest / 16));
    const count = 2 ** Math.ceil(Math.log2(prompts.size));
    const tokens = new Int32Array(count * length);
    for (const { index, tokens: own } of prompts.values()) tokens.set(own, index * length);
    const filled = this.fill(
      this.params,
      this.state.caches,
      tensor(tokens, { shape: [count, length], dtype: "i32" }),
      tensor(sources, { dtype: "i32" }),
      tensor(fresh, { dtype: "bool" }),
    );
    this.state.caches.forEach((cache, i) => {
      cache.keys.data.set(filled[i].keys.data);
      cache.values.data.set(filled[i].values.data);
    });
  }

  step(playing: readonly (Sequence | undefined)[]): void {
    for (let r = 0; r < this.rows; r++) {
      const sequence = playing[r];
      // Rows that rest must not run out of their caches.
      if (!sequence) this.state.position.data[r] = 0;
      if (!this.allowed) continue;
      const row = (this.allowed.data as Uint8Array).subarray(
        r * this.allowed.shape[1],
        (r + 1) * this.allowed.shape[1],
      );
      const constraint = sequence?.request.constraint;
      row.fill(constraint ? 0 : 1);
      constraint?.(sequence!.out.tokens, row);
      if (constraint && !row.includes(1))
        fail("generate", "a constraint allows no token at all. It must at least allow the end.");
    }
    this.call.run();
  }

  /** Notes what a row has drawn; says why it ends, if it does. */
  read(row: number, { request, out }: Sequence, options: GeneratorOptions): Generated["ended"] | undefined {
    const { token, logProb, modelLogProb } = this.call.result;
    const drawn = token.data[row];
    out.tokens.push(drawn);
    out.logProbs.push(logProb.data[row]);
    out.modelLogProbs.push(modelLogProb.data[row]);
    out.versions.push(options.version?.() ?? 0);
    this.current.data[row] = drawn;
    if (this.seen) this.seen.data[row * this.seen.shape[1] + drawn] = 1;
    if (drawn === options.end) return "end";
    if (request.stop?.(out.tokens)) return "stop";
    const room = this.capacity - (request.prompt.length + out.tokens.length);
    return out.tokens.length >= request.limit || room <= 0 ? "limit" : undefined;
  }
}

/** Reads prompts and puts what they leave into the caches of fresh rows. */
function compileFill(model: Gpt, rows: number, capacity: number) {
  return compile(
    (params: GptParams, caches: Cache[], tokens: Tensor, sources: Tensor, fresh: Tensor) => {
      const [count, length] = tokens.shape;
      const { state } = model.step(params, tokens, model.start(count, { maximum: length }));
      const place = (small: Tensor, large: Tensor) => {
        const own = take(small, sources, 0);
        const rest = slice(large, [null, [length, capacity]]);
        const wide = length === capacity ? own : concat([own, rest], 1);
        return where(reshape(fresh, [rows, 1, 1, 1]), wide, large);
      };
      return caches.map((c, i) => ({
        keys: place(state.caches[i].keys, c.keys),
        values: place(state.caches[i].values, c.values),
      }));
    },
    { name: "read prompts" },
  );
}
