import { fail } from "@reins/core";
import type { GptParams, GptState } from "@reins/nn";
import { type Bound, compile, expandDims, random, reshape, type Tensor, vmap, zeros } from "@reins/tensor";
import type { Generated, GeneratorOptions, Sequence } from "./generator.ts";
import { Desk } from "./prompts.ts";
import { copyPositions, type Held, longestPrefix } from "./rows.ts";
import { sample } from "./sampling.ts";

/** What one step gives, one number a row. */
type Drawn = { token: Tensor; logProb: Tensor; modelLogProb: Tensor; entropy: Tensor };

/** The compiled step of so many rows and positions, with its caches. */
export class Machine {
  readonly rows: number;
  private readonly capacity: number;
  private readonly options: GeneratorOptions;
  private readonly state: GptState;
  private readonly current: Tensor;
  private readonly seeds: Tensor;
  private readonly allowed: Tensor | undefined;
  private readonly seen: Tensor | undefined;
  /** What the caches of each row hold. */
  private readonly held: Held[];
  private readonly desk: Desk;
  private params: GptParams;
  /** The step that looks at so many positions. */
  private readonly calls = new Map<number, Bound<Drawn>>();
  private call!: Bound<Drawn>;

  constructor(
    options: GeneratorOptions,
    params: GptParams,
    rows: number,
    capacity: number,
    constrained: boolean,
  ) {
    const { model, vocabulary, sampling = {} } = options;
    this.options = options;
    this.params = params;
    this.rows = rows;
    this.capacity = capacity;
    this.state = model.start(rows, { maximum: capacity, perRow: true });
    this.held = Array.from({ length: rows }, () => ({ tokens: [], version: 0 }));
    this.current = zeros([rows], "i32");
    this.seeds = zeros([rows], "i32");
    this.allowed = constrained ? zeros([rows, vocabulary], "bool") : undefined;
    this.seen = sampling.repetition === undefined ? undefined : zeros([rows, vocabulary], "bool");
    this.desk = new Desk(model, params, capacity);
  }

  /** The compiled step in which texts of at most `within` tokens are looked at: short ones need not read what is not there. */
  private stepWithin(within: number): Bound<Drawn> {
    const known = this.calls.get(within);
    if (known) return known;
    const { model, vocabulary, sampling = {} } = this.options;
    const step = compile(
      (p: GptParams, state: GptState, token: Tensor, seeds: Tensor, allowed?: Tensor, seen?: Tensor) => {
        const { output, state: next } = model.step(p, expandDims(token, 1), state, { within });
        const logits = reshape(output, [this.rows, vocabulary]);
        // A row's noise depends on its seed and position alone.
        const noise = vmap((seed: Tensor, position: Tensor) =>
          random.gumbel(random.foldKey(random.foldKey(random.key(0), seed), position), [vocabulary]),
        )(seeds, next.position);
        return { ...sample(logits, sampling, { noise, allowed, seen }), state: next };
      },
      { name: "generate", donate: [1] },
    );
    const { params, state, current, seeds, allowed, seen } = this;
    const bound = step.bind(params, state, current, seeds, allowed, seen) as unknown as Bound<Drawn>;
    this.calls.set(within, bound);
    return bound;
  }

  /** Goes on with other weights. */
  use(params: GptParams): void {
    this.params = params;
    this.calls.clear();
    this.desk.use(params);
    this.forget();
  }

  /** No new text may use what the caches hold. */
  forget(): void {
    for (const held of this.held) held.version = Number.NaN;
  }

  /** Gives free rows what waits. What a text has in common with one that is in the caches is copied, the rest is read once. */
  admit(playing: (Sequence | undefined)[], waiting: Sequence[]): void {
    const version = this.options.version?.() ?? 0;
    const free = this.held.map((_, r) => r).filter((r) => !playing[r]);
    const fresh: { row: number; before: readonly number[]; from: number }[] = [];
    const followers: { row: number; leader: number }[] = [];
    const leaders = new Map<string, number>();
    // Rows that rest may be overwritten by now: what they hold is looked up before anything moves.
    const taken = free.slice(0, waiting.length).map((row) => ({ row, sequence: waiting.shift()! }));
    const plans = taken.map(({ row, sequence }) => {
      const { prompt } = sequence.request;
      const before = prompt.slice(0, -1);
      const key = before.join();
      const leader = leaders.get(key);
      if (leader !== undefined) followers.push({ row, leader });
      else leaders.set(key, row);
      return { row, sequence, before, leads: leader === undefined };
    });
    for (const { row, before, leads } of plans) {
      if (!leads) continue;
      const { from, length } = longestPrefix(this.held, before, version);
      // A row that will be overwritten lends what it holds through the desk.
      fresh.push({ row, before, from: this.desk.lay(fresh.length, this.state.caches, from, length) });
    }
    this.desk.read(fresh, (index, { row, before }) => {
      this.desk.give(index, this.state.caches, row, before.length);
    });
    for (const { row, leader } of followers)
      for (const cache of this.state.caches)
        copyPositions(cache, leader, cache, row, plans.find((p) => p.row === leader)!.before.length);
    for (const { row, sequence, before } of plans) {
      playing[row] = sequence;
      this.held[row] = { tokens: [...before], version };
      this.current.data[row] = sequence.request.prompt[before.length];
      this.seeds.data[row] = sequence.request.seed;
      this.note(row, sequence.request.prompt);
    }
  }

  /** The tokens that a row's text has already, for what repeats. */
  private note(row: number, prompt: readonly number[]): void {
    if (!this.seen) return;
    const size = this.seen.shape[1];
    this.seen.data.fill(0, row * size, (row + 1) * size);
    for (const t of prompt) this.seen.data[row * size + t] = 1;
  }

  step(playing: readonly (Sequence | undefined)[]): void {
    let longest = 0;
    for (let r = 0; r < this.rows; r++) {
      const sequence = playing[r];
      if (sequence) longest = Math.max(longest, this.held[r].tokens.length + 1);
      // Rows that rest write behind what they hold, over and over.
      this.state.position.data[r] = this.held[r].tokens.length;
      if (!this.allowed) continue;
      const size = this.allowed.shape[1];
      const row = (this.allowed.data as Uint8Array).subarray(r * size, (r + 1) * size);
      const constraint = sequence?.request.constraint;
      row.fill(constraint ? 0 : 1);
      constraint?.(sequence!.tokens, row);
      if (constraint && !row.includes(1))
        fail("generate", "a constraint allows no token at all. It must at least allow the end.");
    }
    this.call = this.stepWithin(Math.min(this.capacity, 2 ** Math.ceil(Math.log2(Math.max(longest, 32)))));
    this.call.run();
  }

  /** Notes what a row has drawn; says why it ends, if it does. */
  read(row: number, sequence: Sequence): Generated["ended"] | undefined {
    const { token, logProb, modelLogProb, entropy } = this.call.result;
    const { request, tokens } = sequence;
    const version = this.options.version?.() ?? 0;
    const drawn = token.data[row];
    this.held[row].tokens.push(this.current.data[row]);
    // Caches that two versions have written are nobody else's to use.
    if (this.held[row].version !== version) this.held[row].version = Number.NaN;
    tokens.push(drawn);
    sequence.logProbs.push(logProb.data[row]);
    sequence.modelLogProbs.push(modelLogProb.data[row]);
    sequence.entropies.push(entropy.data[row]);
    sequence.versions.push(version);
    this.current.data[row] = drawn;
    if (this.seen) this.seen.data[row * this.seen.shape[1] + drawn] = 1;
    if (drawn === this.options.end) return "end";
    if (request.stop?.(tokens)) return "stop";
    const room = this.capacity - (request.prompt.length + tokens.length);
    return tokens.length >= request.limit || room <= 0 ? "limit" : undefined;
  }
}
