import { broadcastTo, concat, full, random, reshape, type Tensor } from "@reins/tensor";
import { uniform } from "../init/index.ts";
import type { Layer } from "../layer.ts";
import type { AttentionParams } from "../layers/attention.ts";
import { type BlockParams, normOf, transformerBlock } from "../layers/block.ts";
import { type LinearParams, linear } from "../layers/linear.ts";
import type { LayerNormParams, RmsNormParams } from "../layers/norm.ts";
import { type PoolingKind, pooling, type TokenSet } from "../layers/pooling.ts";

/** `input` maps items to tokens; `class` is the learned class token, if there is one. */
export type SetEncoderParams = {
  input: LinearParams;
  blocks: BlockParams[];
  norm: RmsNormParams | LayerNormParams;
  pool?: AttentionParams;
  class?: Tensor;
};

/** Settings of {@link setEncoder}. */
export interface SetEncoderOptions {
  /** Features of an item. */
  inputs: number;
  /** Width of tokens and of the result (16 to 256). */
  width: number;
  /** Attention heads, which must divide `width` (default 1). */
  heads?: number;
  /** Transformer blocks, in which items attend to each other (0 to 4; default 1). */
  layers?: number;
  /** Width of the blocks' feed-forward part (default 4 × width). */
  hidden?: number;
  /** Pooling of the items: see {@link pooling}; "class" uses a learned class token beside the items (default "attention"). */
  pooling?: PoolingKind | "class";
}

/** A transformer over a set of items, from [batch, items, features] and a mask of present items to [batch, width]. Their order has no effect, except that the first may be the query. */
export function setEncoder(options: SetEncoderOptions): Layer<SetEncoderParams, TokenSet> {
  const { inputs, width, heads = 1, layers = 1, hidden, pooling: kind = "attention" } = options;
  const input = linear({ inputs, outputs: width });
  const blocks = Array.from({ length: layers }, () =>
    transformerBlock({ width, heads, causal: false, ...(hidden && { hidden }) }),
  );
  const norm = normOf("gpt2", width);
  const pool = pooling({ width, heads, kind: kind === "class" ? "first" : kind });
  return {
    init(key) {
      const keys = random.splitKey(key, layers + 3);
      const asked = pool.init(keys[layers + 1]);
      return {
        input: input.init(keys[layers]),
        blocks: blocks.map((b, i) => b.init(keys[i])),
        norm: norm.init(keys[0]),
        ...(asked && { pool: asked }),
        ...(kind === "class" && { class: uniform(1 / Math.sqrt(inputs))(keys[layers + 2], [width]) }),
      };
    },
    apply(params, { tokens: items, there: given }) {
      const [batch, count] = given.shape;
      const seen = input.apply(params.input, items);
      const own = params.class && broadcastTo(reshape(params.class, [1, 1, width]), [batch, 1, width]);
      const there = own ? concat([full([batch, 1], 1, "bool"), given], 1) : given;
      const mask = reshape(there, [batch, 1, 1, own ? count + 1 : count]);
      const made = blocks.reduce(
        (x, block, i) => block.apply(params.blocks[i], x, { mask }),
        own ? concat([own, seen], 1) : seen,
      );
      return pool.apply(params.pool, { tokens: norm.apply(params.norm, made), there });
    },
  };
}
