import { fail } from "@reins/core";
import type { GptParams, GptState } from "@reins/nn";
import { type Bound, random, type Tensor, zeros } from "@reins/tensor";
import { type ImagePatches, patchOptionsOf, sameImage } from "../models/images.ts";
import { CachePool, sizeFor } from "./cache-pool.ts";
import {
  type CachedRow,
  copyPositions,
  longestPrefix,
  ownPrefix,
  ownShare,
  replaceTokens,
  sameTokens,
} from "./cached-rows.ts";
import type { GeneratorOptions } from "./options.ts";
import { Prefill, type PrefillPrompt } from "./prefill.ts";
import { RowSampling } from "./row-sampling.ts";
import type { RowSettings } from "./sampling.ts";
import { cuts } from "./sampling-support.ts";
import type { Generated, Sequence } from "./sequence.ts";
import { type Sampled, stepOf } from "./step.ts";

/** A text and the row it is assigned to. */
export interface SlotAssignment {
  readonly row: number;
  readonly sequence: Sequence;
}

/** How new texts reuse the KV caches of other rows. */
interface Sharing {
  /** The row with the longest common prefix. */
  prefix(...args: Parameters<typeof ownPrefix>): ReturnType<typeof ownPrefix>;
  /** Fills the rows' KV caches. */
  read(prompts: readonly PrefillPrompt[]): void;
  /** Whether a text is prefilled separately although another has the same prefix. */
  apart(row: number, before: readonly number[], version: number): boolean;
}

const longestOf = (assigned: readonly SlotAssignment[]): number =>
  assigned.reduce((most, { sequence }) => Math.max(most, sequence.request.prompt.length), 0);

/** What the rows sampled in the last step, read from the result once for all rows. */
interface StepResult extends Record<"token" | "logProb" | "modelLogProb" | "entropy", Tensor["data"]> {
  /** The tokens that the step read; the sampled ones replace them. */
  readonly current: Tensor["data"];
  readonly kept?: Tensor;
  /** Weight version of the step. */
  readonly version: number;
}

/** The compiled decoding step for a fixed number of rows, with its KV caches. */
export class Decoder {
  readonly rows: number;
  private readonly capacity: number;
  private readonly options: GeneratorOptions;
  private readonly pool: CachePool;
  /** The KV caches at their current size. */
  private state: GptState;
  private readonly current: Tensor;
  /** Random key of each row's text. */
  private readonly keys: Tensor;
  /** Rows without an active text. */
  private readonly idle: Tensor;
  /** Allowed tokens of each row, allocated with the first constraint. */
  private allowed: Tensor | undefined;
  private readonly seen: Tensor | undefined;
  private readonly sampling: RowSampling;
  /** Contents of each row's KV cache. */
  private readonly cached: CachedRow[];
  private readonly prefill: Prefill;
  /** Tokens of each row's latest prompt that were found in a KV cache. */
  readonly reused: Int32Array;
  private params: GptParams;
  /** Bound steps by cache size, constraints and per-row settings. */
  private readonly calls = new Map<string, Bound<Sampled>>();
  private sampled!: StepResult;

  constructor(options: GeneratorOptions, params: GptParams, rows: number, capacity: number) {
    const { model, vocabulary, sampling = {} } = options;
    this.options = options;
    this.params = params;
    this.rows = rows;
    this.capacity = capacity;
    this.pool = new CachePool(model, rows, capacity);
    this.state = this.pool.at(rows, Math.min(capacity, sizeFor(0)));
    this.cached = Array.from({ length: rows }, () => ({ tokens: [], read: 0, version: 0 }));
    this.reused = new Int32Array(rows);
    this.current = zeros([rows], "i32");
    this.keys = zeros([rows, 2], "u32");
    this.idle = zeros([rows], "bool");
    this.seen = sampling.repetition === undefined ? undefined : zeros([rows, vocabulary], "bool");
    this.sampling = new RowSampling(rows, sampling);
    this.prefill = new Prefill(model, params, capacity);
  }

  /** Prompt tokens computed, cache hits excluded. */
  get read(): number {
    return this.prefill.tokens;
  }

  /** Positions of the KV caches. */
  private get room(): number {
    return this.state.caches[0].keys.shape[2];
  }

  /** Resizes the KV caches for texts of this length. Longer contents are truncated. */
  private fit(longest: number): void {
    const room = Math.min(this.capacity, sizeFor(longest));
    if (room === this.room) return;
    this.state = this.pool.moved(this.state, room);
    // Idle rows write to the last position.
    for (const { tokens } of this.cached) tokens.splice(room - 1);
  }

  /** The compiled step bound to the current KV caches. */
  private stepNow(constrained: boolean, own: RowSettings | undefined): Bound<Sampled> {
    const key = `${this.room} ${constrained} ${Object.keys(own ?? {})}`;
    const known = this.calls.get(key);
    if (known) return known;
    const step = stepOf(this.options, this.rows);
    const { params, state, current, keys, idle, seen } = this;
    const allowed = constrained ? this.allowed : undefined;
    const bound = step.bind(params, state, current, keys, idle, allowed, seen, own) as Bound<Sampled>;
    this.calls.set(key, bound);
    return bound;
  }

  use(params: GptParams): void {
    this.params = params;
    this.calls.clear();
    this.prefill.use(params);
    this.forget();
  }

  /** Invalidates the KV caches for new texts. */
  forget(): void {
    for (const cached of this.cached) cached.version = Number.NaN;
  }

  /** Assigns waiting texts to free rows. Prefixes found in a KV cache are copied, the rest is prefilled once. */
  admit(active: (Sequence | undefined)[], waiting: Sequence[]): void {
    const free = this.cached.map((_, r) => r).filter((r) => !active[r]);
    const assigned = free.slice(0, waiting.length).map((row) => ({ row, sequence: waiting.shift()! }));
    const longest = longestOf(assigned);
    // When no text is active, the KV caches may shrink.
    this.fit(free.length === this.rows ? longest : Math.max(longest, this.room));
    this.assign(active, assigned, {
      prefix: longestPrefix,
      read: (prompts) => this.prefill.read(prompts, this.state.caches),
      apart: () => false,
    });
  }

  /** Assigns texts to given rows, leaving all other rows as they are. */
  join(active: (Sequence | undefined)[], assigned: readonly SlotAssignment[]): void {
    this.fit(Math.max(longestOf(assigned), this.room));
    this.assign(active, assigned, {
      prefix: ownPrefix,
      read: (prompts) => this.prefill.extend(prompts, this.state.caches),
      // A text that continues its own completion neither shares it with texts that would prefill it, nor reuses
      // theirs.
      apart: (row, before, version) => ownShare(this.cached[row], before, version) > this.cached[row].read,
    });
  }

  /** Frees a row: the next conversation may reuse the prefilled tokens, not the generated ones. */
  vacate(row: number): void {
    this.cached[row].tokens.splice(this.cached[row].read);
  }

  /** Copies a row's KV cache to another row. */
  copy(from: number, to: number): void {
    const { tokens, read, version, image } = this.cached[from];
    this.cached[to] = { tokens: [...tokens], read, version, image };
    for (const cache of this.state.caches) copyPositions(cache, from, cache, to, tokens.length);
  }

  private assign(
    active: (Sequence | undefined)[],
    assigned: readonly SlotAssignment[],
    { prefix, read, apart }: Sharing,
  ): void {
    const version = this.options.version?.() ?? 0;
    const leaders = new Map<number, { row: number; before: readonly number[]; image?: ImagePatches }[]>();
    const plans = assigned.map(({ row, sequence }) => {
      const { prompt, image } = sequence.request;
      const before = prompt.slice(0, -1);
      if (apart(row, before, version)) return { row, sequence, before, image, leader: undefined };
      const alike = leaders.get(before.length) ?? [];
      const leader = alike.find((p) => sameTokens(p.before, before) && sameImage(p.image, image))?.row;
      if (leader === undefined) alike.push({ row, before, image });
      if (alike.length === 1) leaders.set(before.length, alike);
      return { row, sequence, before, image, leader };
    });
    const fresh = plans.filter((p) => p.leader === undefined);
    const placeholder = patchOptionsOf(this.options.model)?.token;
    const prompts = fresh.map(({ row, before, image }) => ({
      row,
      before,
      image,
      ...prefix(this.cached, { text: before, version, image, placeholder, row }),
    }));
    // A continuation of generated tokens differs in last bits from a prefill of the whole text.
    const readOf = new Map(
      fresh.map(({ row, before }, i) => {
        const { from, shared } = prompts[i];
        const lent = from < 0 ? 0 : this.cached[from].read;
        return [row, shared <= lent ? before.length : lent];
      }),
    );
    for (const { row, shared } of prompts) this.reused[row] = shared;
    read(prompts);
    for (const { row, leader, before } of plans)
      if (leader !== undefined)
        for (const cache of this.state.caches) copyPositions(cache, leader, cache, row, before.length);
    for (const { row, sequence, before, image, leader = row } of plans) {
      if (leader !== row) this.reused[row] = before.length;
      active[row] = sequence;
      const cached = this.cached[row];
      replaceTokens(cached.tokens, before);
      cached.read = readOf.get(leader)!;
      cached.version = version;
      cached.image = image;
      this.current.data[row] = sequence.request.prompt[before.length];
      this.keys.data.set(random.key(sequence.request.seed).data, 2 * row);
      this.mark(row, sequence.request.prompt);
    }
  }

  /** Marks the tokens of a row's prompt, for the repetition penalty. */
  private mark(row: number, prompt: readonly number[]): void {
    if (!this.seen) return;
    const size = this.seen.shape[1];
    this.seen.data.fill(0, row * size, (row + 1) * size);
    for (const t of prompt) this.seen.data[row * size + t] = 1;
  }

  /**
   * Samples a token for every text. A text whose constraint fails is reported to `refused`, and its token is ignored.
   */
  step(active: readonly (Sequence | undefined)[], refused?: (row: number, error: unknown) => void): void {
    const { cached } = this;
    // Every row is written after its contents, idle rows too: they need a position there.
    let longest = this.room;
    for (const { tokens } of cached) if (tokens.length >= longest) longest = tokens.length + 1;
    this.fit(longest);
    const [positions, idle] = [this.state.position.data, this.idle.data];
    let constrained = false;
    for (let r = 0; r < this.rows; r++) {
      const sequence = active[r];
      positions[r] = cached[r].tokens.length;
      idle[r] = sequence ? 0 : 1;
      if (sequence?.request.constraint) constrained = true;
    }
    if (constrained) this.constrain(active, refused);
    const call = this.stepNow(constrained, this.sampling.of(active));
    call.run();
    const { token, logProb, modelLogProb, entropy, kept } = call.result;
    this.sampled = {
      current: this.current.data,
      token: token.data,
      logProb: logProb.data,
      modelLogProb: modelLogProb.data,
      entropy: entropy.data,
      kept,
      version: this.options.version?.() ?? 0,
    };
  }

  /** Marks the tokens that each row's constraint allows. */
  private constrain(
    active: readonly (Sequence | undefined)[],
    refused?: (row: number, error: unknown) => void,
  ): void {
    const { vocabulary: size } = this.options;
    this.allowed ??= zeros([this.rows, size], "bool");
    const allowed = this.allowed.data as Uint8Array;
    for (let r = 0; r < this.rows; r++) {
      const sequence = active[r];
      const row = allowed.subarray(r * size, (r + 1) * size);
      const constraint = sequence?.request.constraint;
      row.fill(constraint ? 0 : 1);
      try {
        constraint?.(sequence!.text.tokens, row);
        if (constraint && !row.includes(1))
          fail("generate", "the constraint allows no token. It must allow at least the end token.");
      } catch (error) {
        if (!refused) throw error;
        row.fill(1);
        refused(r, error);
      }
    }
  }

  /** Whether the text is sampled from a part of the vocabulary only. */
  private restricts({ request: { constraint, sampling } }: Sequence): boolean {
    return constraint !== undefined || (sampling?.topP ?? 1) < 1 || cuts(this.options.sampling);
  }

  /** Records the token that a row sampled; returns why the text ends, if it does. */
  note(row: number, sequence: Sequence): Generated["ended"] | undefined {
    const { current, token, logProb, modelLogProb, entropy, kept, version } = this.sampled;
    const { request, text } = sequence;
    const { tokens } = text;
    const sampled = token[row];
    const cached = this.cached[row];
    cached.tokens.push(current[row]);
    // A cache written under two weight versions must not be reused.
    if (cached.version !== version) cached.version = Number.NaN;
    tokens.push(sampled);
    text.logProb.push(logProb[row]);
    text.modelLogProb.push(modelLogProb[row]);
    text.entropy.push(entropy[row]);
    text.version.push(version);
    text.kept?.push(kept && this.restricts(sequence) ? wordsOf(kept, row) : undefined);
    current[row] = sampled;
    if (this.seen) this.seen.data[row * this.seen.shape[1] + sampled] = 1;
    const { end, ends } = this.options;
    if (sampled === end || ends?.includes(sampled)) return "end";
    if (request.stop?.(tokens)) return "stop";
    const room = this.capacity - (request.prompt.length + tokens.length);
    return tokens.length >= request.limit || room <= 0 ? "limit" : undefined;
  }
}

/** The kept set of one row, copied: the next step overwrites the tensor. */
function wordsOf(kept: Tensor, row: number): Int32Array {
  const words = kept.shape[1];
  return (kept.data as Int32Array).slice(row * words, (row + 1) * words);
}
