import { fail } from "@reins/core";
import type { GptParams, GptState } from "@reins/nn";
import { type Bound, random, type Tensor, zeros } from "@reins/tensor";
import { type Picture, patchOptionsOf, samePicture } from "../models/pictures.ts";
import { cuts } from "./kept-tokens.ts";
import type { GeneratorOptions } from "./options.ts";
import { type Blocks, Desk } from "./prompts.ts";
import { RowSampling } from "./row-sampling.ts";
import { copyPositions, type Held, longestPrefix, ownPrefix, ownShare } from "./rows.ts";
import type { RowSettings } from "./sampling.ts";
import type { Generated, Sequence } from "./sequence.ts";
import { Shelf, sizeFor } from "./shelf.ts";
import { type Drawn, stepOf } from "./step.ts";

/** A text, and the row that it gets. */
export interface Seat {
  readonly row: number;
  readonly sequence: Sequence;
}

/** What a text may take from the caches of others. */
interface Sharing {
  /** The row that lends most of its beginning. */
  prefix(...args: Parameters<typeof ownPrefix>): ReturnType<typeof ownPrefix>;
  readonly blocks: Blocks;
  /** Whether a text is read by itself where another has the same beginning. */
  apart(row: number, before: readonly number[], version: number): boolean;
}

const longestOf = (taken: readonly Seat[]): number =>
  taken.reduce((most, { sequence }) => Math.max(most, sequence.request.prompt.length), 0);

/** The compiled step of so many rows and positions, with its caches. */
export class Decoder {
  readonly rows: number;
  private readonly capacity: number;
  private readonly options: GeneratorOptions;
  private readonly shelf: Shelf;
  /** The caches at the size that they have now. */
  private state: GptState;
  private readonly current: Tensor;
  /** The key of each row's text. */
  private readonly keys: Tensor;
  /** Which tokens each row may draw, once one of them is constrained. */
  private allowed: Tensor | undefined;
  private readonly seen: Tensor | undefined;
  private readonly sampling: RowSampling;
  /** What the caches of each row hold. */
  private readonly held: Held[];
  private readonly desk: Desk;
  private params: GptParams;
  /** The step on caches of so many positions, with or without constraints and settings of single rows. */
  private readonly calls = new Map<string, Bound<Drawn>>();
  private call!: Bound<Drawn>;

  constructor(options: GeneratorOptions, params: GptParams, rows: number, capacity: number) {
    const { model, vocabulary, sampling = {} } = options;
    this.options = options;
    this.params = params;
    this.rows = rows;
    this.capacity = capacity;
    this.shelf = new Shelf(model, rows, capacity);
    this.state = this.shelf.at(rows, Math.min(capacity, sizeFor(0)));
    this.held = Array.from({ length: rows }, () => ({ tokens: [], read: 0, version: 0 }));
    this.current = zeros([rows], "i32");
    this.keys = zeros([rows, 2], "u32");
    this.seen = sampling.repetition === undefined ? undefined : zeros([rows, vocabulary], "bool");
    this.sampling = new RowSampling(rows, sampling);
    this.desk = new Desk(model, params, capacity);
  }

  /** Tokens of prompts that were read, and not found in a cache. */
  get read(): number {
    return this.desk.tokens;
  }

  /** Positions of the caches. */
  private get room(): number {
    return this.state.caches[0].keys.shape[2];
  }

  /** Gives the caches room for texts of so many tokens. What no longer fits is forgotten. */
  private fit(longest: number): void {
    const room = Math.min(this.capacity, sizeFor(longest));
    if (room === this.room) return;
    this.state = this.shelf.moved(this.state, room);
    // The last position is where rows that rest write.
    for (const { tokens } of this.held) tokens.splice(room - 1);
  }

  /** The compiled step on the caches as they are. */
  private stepNow(constrained: boolean, own: RowSettings | undefined): Bound<Drawn> {
    const key = `${this.room} ${constrained} ${Object.keys(own ?? {})}`;
    const known = this.calls.get(key);
    if (known) return known;
    const step = stepOf(this.options, this.rows);
    const { params, state, current, keys, seen } = this;
    const allowed = constrained ? this.allowed : undefined;
    const bound = step.bind(params, state, current, keys, allowed, seen, own) as Bound<Drawn>;
    this.calls.set(key, bound);
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
    const free = this.held.map((_, r) => r).filter((r) => !playing[r]);
    const taken = free.slice(0, waiting.length).map((row) => ({ row, sequence: waiting.shift()! }));
    const longest = longestOf(taken);
    // With nothing under way, caches may also become smaller.
    this.fit(free.length === this.rows ? longest : Math.max(longest, this.room));
    this.seat(playing, taken, { prefix: longestPrefix, blocks: { least: 1 }, apart: () => false });
  }

  /** Gives rows the texts that are meant for them, and keeps what all others hold. */
  join(playing: (Sequence | undefined)[], taken: readonly Seat[]): void {
    this.fit(Math.max(longestOf(taken), this.room));
    this.seat(playing, taken, {
      prefix: ownPrefix,
      // Products of up to 16 rows are computed in another order: weights always meet more, two texts of 16 tokens, and
      // a text's keys always 16, however long those are that are read beside it.
      blocks: { least: 2, block: 16 },
      // Who goes on from what it wrote lends it to nobody who would have read it, and takes nothing from them.
      apart: (row, before, version) => ownShare(this.held[row], before, version) > this.held[row].read,
    });
  }

  /** A row goes to another conversation, which finds there what the last one read, and nothing that it wrote. */
  vacate(row: number): void {
    this.held[row].tokens.splice(this.held[row].read);
  }

  /** A row begins with all that another holds. */
  copy(from: number, to: number): void {
    const { tokens, read, version, picture } = this.held[from];
    this.held[to] = { tokens: [...tokens], read, version, picture };
    for (const cache of this.state.caches) copyPositions(cache, from, cache, to, tokens.length);
  }

  private seat(
    playing: (Sequence | undefined)[],
    taken: readonly Seat[],
    { prefix, blocks, apart }: Sharing,
  ): void {
    const version = this.options.version?.() ?? 0;
    const leaders = new Map<string, { row: number; picture?: Picture }[]>();
    const plans = taken.map(({ row, sequence }) => {
      const { prompt, picture } = sequence.request;
      const before = prompt.slice(0, -1);
      if (apart(row, before, version)) return { row, sequence, before, picture, leader: undefined };
      const key = before.join();
      const alike = leaders.get(key) ?? [];
      const leader = alike.find((other) => samePicture(other.picture, picture))?.row;
      if (leader === undefined) leaders.set(key, [...alike, { row, picture }]);
      return { row, sequence, before, picture, leader };
    });
    const fresh = plans.filter((p) => p.leader === undefined);
    const placeholder = patchOptionsOf(this.options.model)?.token;
    // Rows are overwritten only when all that they lend lies on the desk.
    const beginnings = fresh.map(({ row, before, picture }) => ({
      before,
      picture,
      ...prefix(this.held, { text: before, version, picture, placeholder, row }),
    }));
    // What follows on something written is not what a reading of the whole would have come to.
    const readOf = new Map(
      fresh.map(({ row, before }, i) => {
        const { from, shared } = beginnings[i];
        const lent = from < 0 ? 0 : this.held[from].read;
        return [row, shared <= lent ? before.length : lent];
      }),
    );
    const read = this.desk.read(beginnings, this.state.caches, blocks);
    this.state.caches.forEach((cache, i) => {
      fresh.forEach(({ row, before }, place) => {
        const { from, shared } = beginnings[place];
        // What a row lent to itself lies there still.
        copyPositions(read[i], place, cache, row, before.length, from === row ? shared : 0);
      });
      for (const { row, leader, before } of plans)
        if (leader !== undefined) copyPositions(cache, leader, cache, row, before.length);
    });
    for (const { row, sequence, before, picture, leader = row } of plans) {
      playing[row] = sequence;
      this.held[row] = { tokens: [...before], read: readOf.get(leader)!, version, picture };
      this.current.data[row] = sequence.request.prompt[before.length];
      this.keys.data.set(random.key(sequence.request.seed).data, 2 * row);
      this.mark(row, sequence.request.prompt);
    }
  }

  /** The tokens that a row's text has already, for what repeats. */
  private mark(row: number, prompt: readonly number[]): void {
    if (!this.seen) return;
    const size = this.seen.shape[1];
    this.seen.data.fill(0, row * size, (row + 1) * size);
    for (const t of prompt) this.seen.data[row * size + t] = 1;
  }

  /** A token for every text. One that may not go on is told, where somebody listens, and draws what nobody reads. */
  step(playing: readonly (Sequence | undefined)[], refused?: (row: number, error: unknown) => void): void {
    let longest = this.room;
    for (let r = 0; r < this.rows; r++)
      if (playing[r]) longest = Math.max(longest, this.held[r].tokens.length + 1);
    this.fit(longest);
    const constrained = playing.some((s) => s?.request.constraint);
    if (constrained) this.allowed ??= zeros([this.rows, this.options.vocabulary], "bool");
    for (let r = 0; r < this.rows; r++) {
      const sequence = playing[r];
      // Rows that rest write behind what they hold, over and over.
      this.state.position.data[r] = this.held[r].tokens.length;
      if (!constrained || !this.allowed) continue;
      const size = this.allowed.shape[1];
      const row = (this.allowed.data as Uint8Array).subarray(r * size, (r + 1) * size);
      const constraint = sequence?.request.constraint;
      row.fill(constraint ? 0 : 1);
      try {
        constraint?.(sequence!.tokens, row);
        if (constraint && !row.includes(1))
          fail("generate", "a constraint allows no token at all. It must at least allow the end.");
      } catch (error) {
        if (!refused) throw error;
        row.fill(1);
        refused(r, error);
      }
    }
    this.call = this.stepNow(constrained, this.sampling.of(playing));
    this.call.run();
  }

  /** Whether a text's tokens are chosen from less than the whole vocabulary. */
  private restricts({ request: { constraint, sampling } }: Sequence): boolean {
    return constraint !== undefined || (sampling?.topP ?? 1) < 1 || cuts(this.options.sampling);
  }

  /** Notes what a row has drawn; says why it ends, if it does. */
  note(row: number, sequence: Sequence): Generated["ended"] | undefined {
    const { token, logProb, modelLogProb, entropy, kept } = this.call.result;
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
    sequence.kept?.push(kept && this.restricts(sequence) ? wordsOf(kept, row) : undefined);
    this.current.data[row] = drawn;
    if (this.seen) this.seen.data[row * this.seen.shape[1] + drawn] = 1;
    if (drawn === this.options.end) return "end";
    if (request.stop?.(tokens)) return "stop";
    const room = this.capacity - (request.prompt.length + tokens.length);
    return tokens.length >= request.limit || room <= 0 ? "limit" : undefined;
  }
}

/** The words of one row, copied: the tensor is overwritten by the next step. */
function wordsOf(kept: Tensor, row: number): Int32Array {
  const words = kept.shape[1];
  return (kept.data as Int32Array).slice(row * words, (row + 1) * words);
}
