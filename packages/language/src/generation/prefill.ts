import type { Gpt, GptParams, GptState, KvCache } from "@reins/nn";
import { type Bound, compile, type Tensor, zeros } from "@reins/tensor";
import { alignImage, featuresOf, type ImagePatches, patchOptionsOf } from "../models/images.ts";
import type { ImageGpt, ImageParams } from "../models/patches.ts";
import { CachePool, sizeFor } from "./cache-pool.ts";
import { copyPositions } from "./cached-rows.ts";

/** A prompt to prefill: its tokens, and the row whose KV cache holds the first `shared` of them. */
export interface PrefillPrompt {
  readonly before: readonly number[];
  readonly from: number;
  readonly shared: number;
  readonly picture?: ImagePatches;
}

/** Shape of the prefill passes. */
export interface PrefillBlocks {
  /** Minimum number of texts per pass. */
  readonly least: number;
  /** Tokens per pass (default: all at once). */
  readonly block?: number;
}

/** A prefill pass for fixed numbers of texts and tokens; with images, also the patches. */
interface PrefillPass {
  readonly tokens: Tensor;
  readonly beside?: { readonly patches: Tensor; readonly places: Tensor };
  readonly bound: Bound<GptState>;
}

/** Prefills the prompts of new texts, many at a time, before their KV caches are copied to rows. */
export class Prefill {
  private readonly model: Gpt;
  private params: GptParams;
  private readonly capacity: number;
  private pool: CachePool;
  /** Tokens prefilled so far. */
  tokens = 0;
  /** Prefill passes by their sizes. */
  private readonly passes = new Map<string, PrefillPass>();

  constructor(model: Gpt, params: GptParams, capacity: number) {
    this.model = model;
    this.params = params;
    this.capacity = capacity;
    this.pool = new CachePool(model, 1, capacity);
  }

  use(params: GptParams): void {
    this.params = params;
    this.clear();
  }

  private clear(): void {
    for (const { bound } of this.passes.values()) bound.dispose();
    this.passes.clear();
  }

  private pass(state: GptState, length: number, pictured: boolean): PrefillPass {
    const [rows, , positions] = state.caches[0].keys.shape;
    const key = `${rows} ${positions} ${length} ${pictured}`;
    let found = this.passes.get(key);
    if (!found) {
      const tokens = zeros([rows, length], "i32");
      const how = pictured ? patchOptionsOf(this.model) : undefined;
      const beside = how && {
        patches: zeros([rows, length, featuresOf(how)]),
        places: zeros([rows, length, 2], "i32"),
      };
      const step = compile(
        (p: GptParams, s: GptState, t: Tensor, patches?: Tensor, places?: Tensor) =>
          patches && places
            ? (this.model as ImageGpt).step(p as ImageParams, t, s, {
                pictures: { patches, places, aligned: true },
              }).state
            : this.model.step(p, t, s).state,
        { name: "read prompts", donate: [1] },
      );
      const bound = step.bind(this.params, state, tokens, beside?.patches, beside?.places);
      found = { tokens, beside, bound: bound as Bound<GptState> };
      this.passes.set(key, found);
    }
    return found;
  }

  /** Copies shared prefixes from rows of `caches` and prefills the rest; result row i holds prompt i. */
  read(
    prompts: readonly PrefillPrompt[],
    caches: readonly KvCache[],
    { least, block }: PrefillBlocks,
  ): readonly KvCache[] {
    const rows = 2 ** Math.ceil(Math.log2(Math.max(least, prompts.length)));
    if (rows > this.pool.rows) {
      this.clear();
      this.pool = new CachePool(this.model, rows, this.capacity);
    }
    const most = (of: (b: PrefillPrompt) => number) => prompts.reduce((m, b) => Math.max(m, of(b)), 0);
    const longest = most((b) => b.before.length - b.shared);
    const whole = 16 * Math.ceil(longest / 16);
    const length = Math.min(this.capacity, block ?? whole);
    const positions = Math.min(this.capacity, sizeFor(most((b) => b.shared + whole)));
    const state = this.pool.at(rows, positions);
    prompts.forEach(({ from, shared }, place) => {
      caches.forEach((c, i) => copyPositions(c, from, state.caches[i], place, shared));
    });
    const pictured = prompts.some((b) => b.picture);
    for (let at = 0; at < longest; at += length) this.readAt(at, prompts, state, length, pictured);
    for (const { before, shared } of prompts) this.tokens += before.length - shared;
    return state.caches;
  }

  /**
   * Prefills the tokens at offset `at` after each shared prefix. Prompts with none left compute values that are never
   * read.
   */
  private readAt(
    at: number,
    prompts: readonly PrefillPrompt[],
    state: GptState,
    length: number,
    pictured: boolean,
  ): void {
    const { tokens, beside, bound } = this.pass(state, length, pictured);
    tokens.data.fill(0);
    beside?.patches.data.fill(0);
    beside?.places.data.fill(-1);
    state.position.data.fill(0);
    prompts.forEach(({ before, shared, picture }, place) => {
      const from = shared + at;
      tokens.data.set(before.slice(from, from + length), place * length);
      state.position.data[place] = from;
      if (!beside || !picture) return;
      const [patches, places] = [beside.patches.data as Float32Array, beside.places.data as Int32Array];
      const { token } = patchOptionsOf(this.model)!;
      alignImage(before, picture, token, { patches, places, at: place * length, from, to: from + length });
    });
    bound.run();
  }
}
