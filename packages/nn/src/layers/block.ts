import { add, random, type Tensor } from "@reins/tensor";
import type { Context, Layer, Step } from "../layer.ts";
import {
  type AttendOptions,
  type Attention,
  type AttentionLayerOptions,
  type AttentionParams,
  attention,
} from "./attention.ts";
import type { Cache } from "./cache.ts";
import { dropout } from "./dropout.ts";
import { type FeedForwardParams, feedForward } from "./feedforward.ts";
import { type LayerNormParams, layerNorm, type RmsNormParams, rmsNorm } from "./norm.ts";
import { child } from "./sequential.ts";

/** A norm before each half of the block. */
export type BlockParams = {
  norm1: RmsNormParams | LayerNormParams;
  attention: AttentionParams;
  norm2: RmsNormParams | LayerNormParams;
  feedForward: FeedForwardParams;
};

/** Settings of {@link transformerBlock}. */
export interface BlockOptions extends AttentionLayerOptions {
  /** "gpt2": LayerNorm, GELU and biases. "llama": RMSNorm, SwiGLU, rotary embeddings and no biases. */
  style?: "gpt2" | "llama";
  /** Width of the feed-forward part; 4 × width, or 8/3 × width rounded up to a multiple of 8 for "llama". */
  hidden?: number;
  /** Biases in the feed-forward part; as the style has it by default. */
  hiddenBias?: boolean;
  /** The norms' epsilon, those of heads among them: 1e-5, or 1e-6 for "llama". */
  epsilon?: number;
  /** Dropout after each half while training; a higher rate regularises more (0 to 0.2). */
  dropout?: number;
}

/** A pre-norm transformer block on [batch, time, width]: attention, then a feed-forward part, both added to their input. */
export interface Block {
  readonly attention: Attention;
  init(key: Tensor): BlockParams;
  apply(params: BlockParams, x: Tensor, options?: AttendOptions & Context): Tensor;
  /** An empty cache for `maximum` positions. */
  start(batch: number, maximum: number): Cache;
  /** New positions from `position` on; see {@link Attention}. */
  step(params: BlockParams, x: Tensor, cache: Cache, position: Tensor, options?: AttendOptions): Step<Cache>;
  /** The block around any way to attend: what `apply` and `step` are made of. */
  around(
    params: BlockParams,
    x: Tensor,
    attend: (params: AttentionParams, x: Tensor) => Tensor,
    context?: Context,
  ): Tensor;
}

/** The norm of a style. */
export function normOf(
  style: "gpt2" | "llama",
  width: number,
  epsilon?: number,
): Layer<RmsNormParams | LayerNormParams> {
  return (style === "llama" ? rmsNorm(width, epsilon) : layerNorm(width, epsilon)) as Layer<
    RmsNormParams | LayerNormParams
  >;
}

/** A pre-norm transformer block in the style of GPT-2 or Llama. */
export function transformerBlock(options: BlockOptions): Block {
  const { width, style = "gpt2", epsilon, weightInit, outputInit } = options;
  const llama = style === "llama";
  const hidden = options.hidden ?? (llama ? Math.ceil(width / 3) * 8 : 4 * width);
  const norm = normOf(style, width, epsilon);
  const attend = attention({
    bias: !llama,
    outputBias: !llama,
    ...(llama ? { rotary: {} } : {}),
    ...options,
  });
  const forward = feedForward({
    width,
    hidden,
    kind: llama ? "swiglu" : "gelu",
    bias: options.hiddenBias ?? !llama,
    weightInit,
    outputInit,
  });
  const drop = dropout(options.dropout ?? 0);
  const block: Block = {
    attention: attend,
    init(key) {
      const [k1, k2] = random.splitKey(key);
      return {
        norm1: norm.init(k1),
        attention: attend.init(k1),
        norm2: norm.init(k2),
        feedForward: forward.init(k2),
      };
    },
    around(params, x, how, context) {
      const y = add(x, drop.apply({}, how(params.attention, norm.apply(params.norm1, x)), child(context, 0)));
      return add(
        y,
        drop.apply({}, forward.apply(params.feedForward, norm.apply(params.norm2, y)), child(context, 1)),
      );
    },
    apply: (params, x, how) => block.around(params, x, (p, y) => attend.apply(p, y, how), how),
    start: attend.start,
    step(params, x, cache, position, how) {
      let state = cache;
      const output = block.around(params, x, (p, y) => {
        const step = attend.step(p, y, cache, position, how);
        state = step.state;
        return step.output;
      });
      return { output, state };
    },
  };
  return block;
}
