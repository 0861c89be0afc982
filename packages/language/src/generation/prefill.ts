import type { Gpt, GptParams, KvCache } from "@reins/nn";
import type { ImagePatches } from "../models/images.ts";
import { CachePool, sizeFor } from "./cache-pool.ts";
import { copyPositions, copyPrefixes } from "./cached-rows.ts";
import { type PrefillBlock, PrefillPasses } from "./prefill-pass.ts";

/** A prompt to prefill into `row`, and the row whose KV cache holds the first `shared` of its tokens. */
export interface PrefillPrompt {
  readonly row: number;
  readonly before: readonly number[];
  readonly from: number;
  readonly shared: number;
  readonly image?: ImagePatches;
}

/**
 * Tokens per block of a prefill in place. Attention over a block has the bits of every block of 2 to 16 tokens. It is fastest with 16,
 * whose scores fill whole vectors.
 */
const blockLength = 16;

/** Prefills the prompts of new texts, many at a time. */
export class Prefill {
  private readonly model: Gpt;
  private readonly capacity: number;
  private readonly passes: PrefillPasses;
  /** KV caches of prompts that are prefilled apart from their rows. */
  private pool: CachePool;
  /** Tokens prefilled so far. */
  tokens = 0;

  constructor(model: Gpt, params: GptParams, capacity: number) {
    this.model = model;
    this.capacity = capacity;
    this.passes = new PrefillPasses(model, params);
    this.pool = new CachePool(model, 1, capacity);
  }

  use(params: GptParams): void {
    this.passes.use(params);
  }

  /**
   * Prefills prompts in place. The keys and values of a token depend on its own text alone, to the last bit: blocks of
   * up to 16 tokens and passes of more than 16 tokens are summed in the same order, whatever their sizes.
   */
  extend(prompts: readonly PrefillPrompt[], caches: readonly KvCache[]): void {
    copyPrefixes(prompts, caches);
    const blocks: PrefillBlock[] = [];
    for (const { before, shared, row, image } of prompts) {
      this.tokens += before.length - shared;
      for (let from = shared; from < before.length; from += blockLength)
        blocks.push({ before, from, row, image });
    }
    for (let done = 0; done < blocks.length; ) {
      const items = blocksFor(blocks.length - done);
      const part = blocks.slice(done, done + items);
      // Repeated blocks write the same numbers to the same positions.
      while (part.length < items) part.push(part[part.length - 1]);
      this.passes.run(part, caches, { items, length: blockLength, inPlace: true });
      done += items;
    }
  }

  /**
   * Prefills whole prompts at once in KV caches of their own, and copies them to their rows: the fastest way to read
   * long prompts. Last bits depend on the longest prompt.
   */
  read(prompts: readonly PrefillPrompt[], caches: readonly KvCache[]): void {
    const items = 2 ** Math.ceil(Math.log2(Math.max(1, prompts.length)));
    if (items > this.pool.rows) {
      this.passes.clear();
      this.pool = new CachePool(this.model, items, this.capacity);
    }
    const most = (of: (b: PrefillPrompt) => number) => prompts.reduce((m, b) => Math.max(m, of(b)), 0);
    const longest = most((b) => b.before.length - b.shared);
    const whole = 16 * Math.ceil(longest / 16);
    const length = Math.min(this.capacity, whole);
    const positions = Math.min(this.capacity, sizeFor(most((b) => b.shared + whole)));
    const { caches: apart } = this.pool.at(items, positions);
    prompts.forEach(({ from, shared }, place) => {
      caches.forEach((c, i) => copyPositions(c, from, apart[i], place, shared));
    });
    if (longest > 0) {
      const blocks = prompts.map((p, row) => ({ ...p, row, from: p.shared }));
      this.passes.run(blocks, apart, { items, length, inPlace: false });
    }
    for (const { before, shared } of prompts) this.tokens += before.length - shared;
    caches.forEach((cache, i) => {
      prompts.forEach(({ row, before, from, shared }, place) => {
        // A prefix shared with the row itself is already in place.
        copyPositions(apart[i], place, cache, row, before.length, from === row ? shared : 0);
      });
    });
  }
}

/** Numbers of blocks per pass. Each is compiled, so there are few; a pass must have more than 16 tokens. */
const passSizes = [32, 48, 64, 80, 96, 112, 128, 192, 256, 384, 512, 768, 1024].map(
  (tokens) => tokens / blockLength,
);

/** Blocks of the next pass: all that are left where that pads little, otherwise as many as fill a smaller pass. */
function blocksFor(left: number): number {
  const rounded = (count: number) =>
    passSizes.find((size) => size >= count) ?? passSizes[passSizes.length - 1];
  const whole = rounded(left);
  const smaller = passSizes[passSizes.indexOf(whole) - 1] ?? 0;
  return smaller > 0 && smaller + rounded(left - smaller) < whole ? smaller : whole;
}
