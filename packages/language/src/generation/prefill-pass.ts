import type { Gpt, GptParams, GptState, KvCache } from "@reins/nn";
import { type Bound, compile, type Tensor, zeros } from "@reins/tensor";
import { alignImage, featuresOf, type ImagePatches, patchOptionsOf } from "../models/images.ts";
import type { ImageGpt, ImageParams } from "../models/patches.ts";

/** Tokens of a prompt from position `from` on, as many as a pass reads per item. */
export interface PrefillBlock {
  readonly before: readonly number[];
  readonly from: number;
  /** The row of the KV caches. */
  readonly row: number;
  readonly image?: ImagePatches;
}

/** Sizes of a pass. */
interface PassSizes {
  /** Number of blocks. */
  readonly items: number;
  /** Tokens per block. */
  readonly length: number;
  /** Whether blocks name their cache rows; otherwise block i has row i. */
  readonly inPlace: boolean;
}

/** The inputs of a compiled pass; with images, also the patches. */
interface PrefillPass {
  readonly tokens: Tensor;
  readonly position: Tensor;
  readonly rows?: Tensor;
  readonly beside?: { readonly patches: Tensor; readonly places: Tensor };
  readonly bound: Bound<GptState>;
}

/** Compiled prefill passes by their sizes. */
export class PrefillPasses {
  private readonly model: Gpt;
  private params: GptParams;
  private readonly passes = new Map<string, PrefillPass>();

  constructor(model: Gpt, params: GptParams) {
    this.model = model;
    this.params = params;
  }

  use(params: GptParams): void {
    this.params = params;
    this.clear();
  }

  clear(): void {
    for (const { bound } of this.passes.values()) bound.dispose();
    this.passes.clear();
  }

  /** Computes the keys and values of blocks, and writes them to the caches. */
  run(blocks: readonly PrefillBlock[], caches: readonly KvCache[], sizes: PassSizes): void {
    const { length } = sizes;
    const pictured = blocks.some((b) => b.image);
    const { tokens, position, rows, beside, bound } = this.pass(caches, sizes, pictured);
    const [ids, starts, named] = [tokens.data, position.data, rows?.data];
    ids.fill(0);
    starts.fill(0);
    beside?.patches.data.fill(0);
    beside?.places.data.fill(-1);
    blocks.forEach(({ before, from, row, image }, item) => {
      const to = Math.min(before.length, from + length);
      for (let i = from; i < to; i++) ids[item * length + i - from] = before[i];
      starts[item] = from;
      if (named) named[item] = row;
      if (!beside || !image) return;
      const [patches, places] = [beside.patches.data as Float32Array, beside.places.data as Int32Array];
      const { token } = patchOptionsOf(this.model)!;
      alignImage(before, image, token, { patches, places, at: item * length, from, to: from + length });
    });
    bound.run();
  }

  private pass(caches: readonly KvCache[], { items, length, inPlace }: PassSizes, pictured: boolean) {
    const [count, , positions] = caches[0].keys.shape;
    const key = `${count} ${positions} ${items} ${length} ${inPlace} ${pictured}`;
    const known = this.passes.get(key);
    if (known) return known;
    const [tokens, position] = [zeros([items, length], "i32"), zeros([items], "i32")];
    const rows = inPlace ? zeros([items], "i32") : undefined;
    const how = pictured ? patchOptionsOf(this.model) : undefined;
    const beside = how && {
      patches: zeros([items, length, featuresOf(how)]),
      places: zeros([items, length, 2], "i32"),
    };
    const step = compile(
      (p: GptParams, s: GptState, t: Tensor, rows?: Tensor, patches?: Tensor, places?: Tensor) =>
        patches && places
          ? (this.model as ImageGpt).step(p as ImageParams, t, s, {
              rows,
              images: { patches, places, aligned: true },
            }).state
          : this.model.step(p, t, s, { rows }).state,
      { name: "read prompts", donate: [1], host: true },
    );
    const state = { caches: [...caches], position };
    const bound = step.bind(this.params, state, tokens, rows, beside?.patches, beside?.places);
    const pass: PrefillPass = { tokens, position, rows, beside, bound: bound as Bound<GptState> };
    this.passes.set(key, pass);
    return pass;
  }
}
