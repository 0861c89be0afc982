import { add, random, relu, type Tensor } from "@reins/tensor";
import type { Layer, LayerContext, RecurrentStep } from "../layer.ts";
import {
  type Attention,
  type AttentionCallOptions,
  type AttentionLayerOptions,
  type AttentionParams,
  type AttentionStepOptions,
  attention,
} from "./attention.ts";
import type { KvCache } from "./cache.ts";
import { dropout } from "./dropout.ts";
import { type FeedForwardParams, feedForward } from "./feedforward.ts";
import { type GateParams, gruGate } from "./gate.ts";
import { type LayerNormParams, layerNorm, type RmsNormParams, rmsNorm } from "./norm.ts";
import { child } from "./sequential.ts";

/** A norm for each half of the block, before or after it; `after1` and `after2` with norms on both sides, and a gate for each half if gated. */
export type BlockParams = {
  norm1: RmsNormParams | LayerNormParams;
  attention: AttentionParams;
  norm2: RmsNormParams | LayerNormParams;
  feedForward: FeedForwardParams;
  after1?: RmsNormParams | LayerNormParams;
  after2?: RmsNormParams | LayerNormParams;
  gate1?: GateParams;
  gate2?: GateParams;
};

/** Settings of {@link transformerBlock}. */
export interface BlockOptions extends AttentionLayerOptions {
  /** "gpt2": LayerNorm, GELU and biases. "llama": RMSNorm, SwiGLU, rotary embeddings and no biases. */
  style?: "gpt2" | "llama";
  /** Position of the norms: before each half (pre-norm, most models); after it, before the residual sum (OLMo 2); both (Gemma 2); or of the sum (post-norm; Vaswani et al., 2017). */
  norms?: "before" | "after" | "both" | "sum";
  /** Activation of the gate in the feed-forward part in the style of Llama (default "silu"; "gelu" in Gemma). */
  gate?: "silu" | "gelu";
  /** Combines each half with its input by a GRU gate instead of a sum (Parisotto et al., 2020; default false). */
  gated?: boolean;
  /** Width of the feed-forward part (default 4 × width, or 8/3 × width rounded up to a multiple of 8 for "llama"). */
  hidden?: number;
  /** Biases in the feed-forward part (default: as in the style). */
  hiddenBias?: boolean;
  /** Epsilon of the norms, including those of heads (default 1e-5, or 1e-6 for "llama"). */
  epsilon?: number;
  /** Dropout after each half while training; a higher rate regularises more (0 to 0.2). */
  dropout?: number;
}

/** A transformer block on [batch, time, width]: attention, then a feed-forward part, both added to their input. */
export interface TransformerBlock {
  readonly attention: Attention;
  init(key: Tensor): BlockParams;
  apply(params: BlockParams, x: Tensor, options?: AttentionCallOptions & LayerContext): Tensor;
  /** An empty cache for `maximum` positions. */
  start(batch: number, maximum: number): KvCache;
  /** New positions from `position` on; see {@link Attention}. */
  step(
    params: BlockParams,
    x: Tensor,
    cache: KvCache,
    position: Tensor,
    options?: AttentionStepOptions,
  ): RecurrentStep<KvCache>;
  /** The block around any attention function: the basis of `apply` and `step`. */
  around(
    params: BlockParams,
    x: Tensor,
    attend: (params: AttentionParams, x: Tensor) => Tensor,
    context?: LayerContext,
  ): Tensor;
}

/** The norm of a style. */
export function normOf(
  style: "gpt2" | "llama",
  width: number,
  epsilon?: number,
  fromOne?: boolean,
): Layer<RmsNormParams | LayerNormParams> {
  return (style === "llama" ? rmsNorm(width, epsilon, fromOne) : layerNorm(width, epsilon)) as Layer<
    RmsNormParams | LayerNormParams
  >;
}

/** A transformer block in the style of GPT-2 or Llama. */
export function transformerBlock(options: BlockOptions): TransformerBlock {
  const { width, style = "gpt2", epsilon, weightInit, outputInit, norms = "before" } = options;
  const llama = style === "llama";
  const hidden = options.hidden ?? (llama ? Math.ceil(width / 3) * 8 : 4 * width);
  const norm = normOf(style, width, epsilon, options.normsFromOne);
  const [before, after] = [norms === "before" || norms === "both", norms === "after" || norms === "both"];
  const attend = attention({
    bias: !llama,
    outputBias: !llama,
    ...(llama ? { rotary: {} } : {}),
    ...options,
  });
  const forward = feedForward({
    width,
    hidden,
    kind: llama ? (options.gate === "gelu" ? "geglu" : "swiglu") : "gelu",
    bias: options.hiddenBias ?? !llama,
    weightInit,
    outputInit,
  });
  const drop = dropout(options.dropout ?? 0);
  const gate = options.gated ? gruGate(width) : undefined;
  const block: TransformerBlock = {
    attention: attend,
    init(key) {
      const [k1, k2] = random.splitKey(key);
      return {
        norm1: norm.init(k1),
        attention: attend.init(k1),
        norm2: norm.init(k2),
        feedForward: forward.init(k2),
        ...(norms === "both" ? { after1: norm.init(k1), after2: norm.init(k2) } : {}),
        ...(gate ? { gate1: gate.init(random.foldKey(k1, 1)), gate2: gate.init(random.foldKey(k2, 1)) } : {}),
      };
    },
    around(params, x, how, context) {
      const half = (
        z: Tensor,
        f: (z: Tensor) => Tensor,
        own: BlockParams["norm1"],
        behind: BlockParams["norm1"] = own,
        through?: GateParams,
        key?: LayerContext,
      ) => {
        const made = f(before ? norm.apply(own, z) : z);
        const dropped = drop.apply({}, after ? norm.apply(behind, made) : made, key);
        const joined = gate && through ? gate.apply(through, z, relu(dropped)) : add(z, dropped);
        return norms === "sum" ? norm.apply(own, joined) : joined;
      };
      const { attention: p, feedForward: q, norm1, norm2, after1, after2, gate1, gate2 } = params;
      const y = half(x, (z) => how(p, z), norm1, after1, gate1, child(context, 0));
      return half(y, (z) => forward.apply(q, z), norm2, after2, gate2, child(context, 1));
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
