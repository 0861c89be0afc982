import {
  add,
  expandDims,
  iota,
  matmul,
  mul,
  random,
  scalar,
  type Tensor,
  transpose,
  where,
  zeros,
} from "@reins/tensor";
import { fail, show } from "../errors.ts";
import { normal } from "../init/index.ts";
import type { LayerContext, RecurrentStep } from "../layer.ts";
import { type BlockOptions, type BlockParams, normOf, transformerBlock } from "../layers/block.ts";
import { type KvCache, positionIds } from "../layers/cache.ts";
import { type EmbeddingParams, embedding } from "../layers/embedding.ts";
import type { LayerNormParams, RmsNormParams } from "../layers/norm.ts";
import { child } from "../layers/sequential.ts";
import { softCap } from "../layers/soft-cap.ts";

/** `positions` exist with learned positions; without a `head` the token table is also the output layer (tied weights). */
export type GptParams = {
  tokens: EmbeddingParams;
  positions?: EmbeddingParams;
  blocks: BlockParams[];
  norm: RmsNormParams | LayerNormParams;
  head?: { weight: Tensor };
};

/** KV caches of all blocks, and the position of the next token: i32, a scalar for all rows or one per row. */
export type GptState = { caches: KvCache[]; position: Tensor };

/** Settings of {@link gpt}. */
export interface GptOptions extends Omit<BlockOptions, "weightInit" | "outputInit" | "norms"> {
  /** Position of the norms: before each half (default), after it, or both. */
  norms?: "before" | "after" | "both";
  /** Vocabulary size. */
  vocabulary: number;
  /** Maximum number of tokens in a sequence; a hard limit with learned positions. */
  context: number;
  /** Number of blocks. Deeper is stronger and slower. */
  layers: number;
  /** Learned positions (default: true for "gpt2", false for "llama", which uses rotary embeddings). */
  learnedPositions?: boolean;
  /** Whether the output layer shares the token table (default: true for "gpt2", false for "llama"). */
  tied?: boolean;
  /** Factor of the token embeddings (√width in Gemma; default 1). */
  tokenScale?: number;
  /** Soft cap of the logits: cap · tanh(logit / cap) (Gemma 2). */
  logitCap?: number;
  /** Settings that differ between layers, one entry per layer: attention window and rotary embeddings. The options above apply otherwise. */
  perLayer?: readonly Pick<BlockOptions, "window" | "rotary">[];
  /** Standard deviation of the initial weights (default 0.02). */
  deviation?: number;
}

/** A decoder-only language model. */
export interface Gpt {
  /** Vocabulary size. */
  readonly vocabulary: number;
  /** Maximum tokens of a text with learned positions; undefined where positions are relative. */
  readonly longest?: number;
  /** Whether it has dropout, for which `apply` and `hidden` need a key in training. */
  readonly random?: boolean;
  init(key: Tensor): GptParams;
  /** Logits [batch, time, vocabulary] of the tokens that follow `tokens` (i32 [batch, time]). */
  apply(params: GptParams, tokens: Tensor, options?: GptApplyOptions): Tensor;
  /** The final hidden states, [batch, time, width], for value heads and embeddings. */
  hidden(params: GptParams, tokens: Tensor, options?: GptApplyOptions): Tensor;
  /** Logits from the hidden states of {@link Gpt.hidden}. */
  logits(params: GptParams, hidden: Tensor): Tensor;
  /** Empty caches. With `perRow`, each row has its own position, for rows of different lengths that start and end independently. */
  start(batch: number, options?: { maximum?: number; perRow?: boolean }): GptState;
  /**
   * Logits of new tokens (i32 [batch, count]) that follow those in the caches. For prompts of different lengths, pad them on the
   * right, step once, then set `state.position` to their lengths; slots at or after a row's position are never attended to. Stop
   * before `maximum`: positions are known only at run time, and later ones would overwrite the last. With `rows`, items of the batch
   * name their cache rows, and `state.position` has one entry per item: new tokens of some rows are read without copying caches, and
   * a long text may be split into several items of the same row.
   */
  step(params: GptParams, tokens: Tensor, state: GptState, options?: GptStepOptions): RecurrentStep<GptState>;
}

/** Embeddings and cache rows of a step. */
export interface GptStepOptions extends Pick<GptApplyOptions, "embedded"> {
  /** The cache row of each item of the batch (i32 [batch], default: item i has row i). */
  rows?: Tensor;
  /** True for items whose output is ignored (bool [batch]): they cost less with long caches. */
  idle?: Tensor;
}

/** Embeddings that replace tokens (images, audio): `values` [batch, time, width] where `at` (bool [batch, time]) is true. */
export type TokenEmbeddings = { at: Tensor; values: Tensor };

/** Mask and positions of a call, and a key for dropout. */
export interface GptApplyOptions extends LayerContext {
  /** True where a token may attend to another, in addition to the causal mask: [batch, 1, time, time]. */
  mask?: Tensor;
  /** Positions (i32 [batch, time]) instead of 0, 1, 2 …, for left-padded or packed sequences. */
  positions?: Tensor;
  /** Embeddings that replace some tokens. */
  embedded?: TokenEmbeddings;
}

/** A decoder-only transformer in the style of GPT-2 (default) or Llama. */
export function gpt(options: GptOptions): Gpt {
  const { vocabulary, context, layers, width, causal = true, style = "gpt2", deviation = 0.02 } = options;
  const { learnedPositions = style === "gpt2", tied = style === "gpt2" } = options;
  const weightInit = normal(deviation);
  // Each block adds to the residual stream twice: GPT-2 keeps its variance by making those weights smaller.
  const outputInit = style === "gpt2" ? normal(deviation / Math.sqrt(2 * layers)) : weightInit;
  const { perLayer, tokenScale = 1, logitCap } = options;
  if (perLayer && perLayer.length !== layers)
    fail("gpt", `perLayer has ${perLayer.length} entries for ${layers} layers.`);
  const blocks = Array.from({ length: layers }, (_, i) =>
    transformerBlock({ ...options, ...perLayer?.[i], causal, weightInit, outputInit }),
  );
  const norm = normOf(style, width, options.epsilon, options.normsFromOne);
  const table = embedding({ count: vocabulary, width, tableInit: weightInit });
  const places = embedding({ count: context, width, tableInit: weightInit });
  const checkLength = ({ positions }: GptParams, { shape: [, time] }: Tensor) => {
    if (positions && time > context) fail("gpt", `${time} tokens exceed the context of ${context}.`);
  };
  const embed = (params: GptParams, tokens: Tensor, positions: Tensor, embedded?: TokenEmbeddings) => {
    if (tokens.rank !== 2 || tokens.dtype !== "i32")
      fail("gpt", `expected tokens i32[batch, time], but got ${tokens.dtype}${show(tokens.shape)}.`);
    const found = table.apply(params.tokens, tokens);
    const looked = tokenScale === 1 ? found : mul(found, tokenScale);
    const x = embedded ? where(expandDims(embedded.at, -1), embedded.values, looked) : looked;
    return params.positions ? add(x, places.apply(params.positions, positions)) : x;
  };

  const model: Gpt = {
    vocabulary,
    ...(learnedPositions ? { longest: context } : {}),
    ...((options.dropout ?? 0) > 0 ? { random: true } : {}),
    init(key) {
      const keys = random.splitKey(key, layers + 3);
      return {
        tokens: table.init(keys[0]),
        ...(learnedPositions ? { positions: places.init(keys[1]) } : {}),
        blocks: blocks.map((b, i) => b.init(keys[i + 3])),
        norm: norm.init(keys[0]),
        ...(tied ? {} : { head: { weight: weightInit(keys[2], [width, vocabulary]) } }),
      };
    },
    hidden(params, tokens, how = {}) {
      if (!how.positions) checkLength(params, tokens);
      const positions = how.positions ?? iota([tokens.shape[1]]);
      const x = embed(params, tokens, positions, how.embedded);
      const y = blocks.reduce(
        (z, b, i) => b.apply(params.blocks[i], z, { mask: how.mask, positions, ...child(how, i) }),
        x,
      );
      return norm.apply(params.norm, y);
    },
    logits: (params, hidden) =>
      softCap(matmul(hidden, params.head ? params.head.weight : transpose(params.tokens.table)), logitCap),
    apply: (params, tokens, how) => model.logits(params, model.hidden(params, tokens, how)),
    start(batch, { maximum = context, perRow = false } = {}) {
      if (!causal)
        fail(
          "gpt",
          "a bidirectional model has no caches, because each new token changes all earlier ones. Use apply().",
        );
      return {
        caches: blocks.map((b) => b.start(batch, maximum)),
        position: perRow ? zeros([batch], "i32") : scalar(0, "i32"),
      };
    },
    step(params, tokens, { caches, position }, { embedded, rows, idle } = {}) {
      checkLength(params, tokens);
      const count = tokens.shape[1];
      const next: KvCache[] = [];
      const y = blocks.reduce(
        (x, b, i) => {
          const step = b.step(params.blocks[i], x, caches[i], position, { rows, idle });
          next.push(step.state);
          return step.output;
        },
        embed(params, tokens, positionIds(position, count), embedded),
      );
      return {
        output: model.logits(params, norm.apply(params.norm, y)),
        state: { caches: next, position: add(position, count) },
      };
    },
  };
  return model;
}
