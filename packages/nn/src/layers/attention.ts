import {
  add,
  and,
  broadcastTo,
  expandDims,
  iota,
  matmul,
  mul,
  permute,
  random,
  reshape,
  softmax,
  split,
  sum,
  type Tensor,
  take,
  attention as tensorAttention,
  upperMask,
  where,
} from "@reins/tensor";
import { fail, show } from "../errors.ts";
import { type Initialiser, xavierUniform, zeros } from "../init/index.ts";
import type { Layer, RecurrentStep } from "../layer.ts";
import { cacheMask, emptyCache, type KvCache, positionIds, writeCache } from "./cache.ts";
import { type LinearParams, linear, project } from "./linear.ts";
import { type RmsNormParams, rmsNorm } from "./norm.ts";
import { type RotaryOptions, rotary } from "./rotary.ts";
import { softCap } from "./soft-cap.ts";

/** `qkv` computes queries, keys and values in one product, in this order; `output` merges the heads. The norms are those of Qwen 3 and OLMo 2. */
export type AttentionParams = {
  qkv: LinearParams;
  output: LinearParams;
  queryNorm?: RmsNormParams;
  keyNorm?: RmsNormParams;
};

/** Settings of {@link attention}. */
export interface AttentionLayerOptions {
  /** Length of the last axis of input and output. */
  width: number;
  /** Number of query heads. More attend to more positions at once, each with a narrower head. */
  heads: number;
  /** Number of key and value heads (grouped-query attention). Fewer make the KV cache smaller. Must divide `heads` (default `heads`). */
  keyHeads?: number;
  /** Width of a head (default `width / heads`). */
  headWidth?: number;
  /** Each position attends only to itself and earlier ones (default true). */
  causal?: boolean;
  /** Maximum number of positions of a cache, if known. Short caches are read whole, which is faster than stopping at each row's length. */
  context?: number;
  /** Rotary position embeddings of queries and keys (default off). */
  rotary?: RotaryOptions | false;
  /** Sliding window: number of positions that a position attends to, itself included (default: all). */
  window?: number;
  /** Factor of the scores (default 1/√headWidth). */
  scoreScale?: number;
  /** Soft cap of the scores: cap · tanh(score / cap) (Gemma 2). */
  scoreCap?: number;
  /** Biases on queries, keys and values (default true). */
  bias?: boolean;
  /** A bias on the output (default `bias`). */
  outputBias?: boolean;
  /** Normalises queries and keys, per head or across all heads (OLMo 2); stabilises large models (default off). */
  normaliseHeads?: boolean | "together";
  /** The epsilon of those norms (default 1e-6). */
  epsilon?: number;
  /** Scales of RMS norms are stored as their difference from 1; see `rmsNorm`. */
  normsFromOne?: boolean;
  /** Initial weights. */
  weightInit?: Initialiser;
  /** Initial weights of the output (default `weightInit`; GPT-2 makes them smaller in deep networks). */
  outputInit?: Initialiser;
}

/** Mask and positions of a call. */
export interface AttentionCallOptions {
  /** True where a query may attend to a key: [time, keys], or [batch, 1, time, keys]. Combined with the causal mask. */
  mask?: Tensor;
  /** Positions for rotary embeddings (i32), [time] or [batch, time] (default 0, 1, 2 …). */
  positions?: Tensor;
}

/** Mask and cache rows of a step. */
export interface AttentionStepOptions extends Pick<AttentionCallOptions, "mask"> {
  /** The cache row of each item (i32 [batch], default: item i has row i), read and written in place. Rows may repeat; `position` then has one entry per item. */
  rows?: Tensor;
  /** True for items whose output is ignored (bool [batch]): a single new position of theirs attends to nothing where that saves time. */
  idle?: Tensor;
}

/** Which keys the queries attend to. */
export interface Limits {
  /** Each position attends only to itself and earlier ones. */
  causal?: boolean;
  /** True where a query may attend to a key: [time, keys], or [batch, 1, time, keys]. */
  mask?: Tensor;
  /** Number of leading keys that the last new position sees (i32, a scalar or one per row); later keys cost nothing. With several new positions, set `causal`. */
  lengths?: Tensor;
  /** The entry of keys and values of each item (i32 [batch]); only with `lengths`. */
  rows?: Tensor;
}

/** Multi-head attention on [batch, time, width]. */
export interface Attention {
  init(key: Tensor): AttentionParams;
  apply(params: AttentionParams, x: Tensor, options?: AttentionCallOptions): Tensor;
  /** An empty cache for `maximum` positions. */
  start(batch: number, maximum: number): KvCache;
  /** New positions from `position` on (i32, a scalar or one per row), which attend to the cache up to themselves. Always causal. */
  step(
    params: AttentionParams,
    x: Tensor,
    cache: KvCache,
    position: Tensor,
    options?: AttentionStepOptions,
  ): RecurrentStep<KvCache>;
  /** Queries, keys and values [batch, heads, time, width], rotated. */
  project(
    params: AttentionParams,
    x: Tensor,
    positions: Tensor,
  ): { queries: Tensor; keys: Tensor; values: Tensor };
  /** The attention output, with heads merged by the output projection. */
  mix(params: AttentionParams, queries: Tensor, keys: Tensor, values: Tensor, limits?: Limits): Tensor;
}

/** Maximum cache size that is read whole: with 128, a step of 256 texts is 4% faster this way. */
const shortCache = 256;

/** Most new positions whose attention stops at the cache's length: above, dot products are summed in another order. */
const shortBlock = 16;

/** Multi-head attention: causal, grouped-query and rotary by options, with a cache of keys and values. */
export function attention(options: AttentionLayerOptions): Attention {
  const {
    width,
    heads,
    keyHeads = heads,
    causal = true,
    bias = true,
    outputBias = bias,
    normaliseHeads = false,
    context = Number.POSITIVE_INFINITY,
    window = Number.POSITIVE_INFINITY,
    scoreCap,
  } = options;
  const { headWidth = width / heads, weightInit = xavierUniform(), outputInit = weightInit } = options;
  if (!Number.isInteger(headWidth))
    fail(
      "attention",
      `width ${width} is not divisible by ${heads} heads. Change one of them, or set headWidth.`,
    );
  if (heads % keyHeads) fail("attention", `${heads} heads are not divisible by ${keyHeads} key heads.`);
  const sizes = [heads * headWidth, keyHeads * headWidth, keyHeads * headWidth];
  const qkv = linear({ inputs: width, outputs: sizes[0] + 2 * sizes[1], bias, weightInit, biasInit: zeros });
  const output = linear({
    inputs: sizes[0],
    outputs: width,
    bias: outputBias,
    weightInit: outputInit,
    biasInit: zeros,
  });
  if (!causal && options.window !== undefined)
    fail("attention", "a window needs causal attention. Remove `window` or set `causal`.");
  const { scoreScale = 1 / Math.sqrt(headWidth) } = options;
  const together = normaliseHeads === "together";
  const normOver = (width: number) => rmsNorm(width, options.epsilon, options.normsFromOne);
  const [queryNorm, keyNorm] = [sizes[0], sizes[1]].map((size) => normOver(together ? size : headWidth));

  const layer: Attention = {
    init(key) {
      const [k1, k2] = random.splitKey(key);
      const norms = normaliseHeads ? { queryNorm: queryNorm.init(k1), keyNorm: keyNorm.init(k1) } : {};
      return { qkv: qkv.init(k1), output: output.init(k2), ...norms };
    },
    project(params, x, positions) {
      if (x.rank !== 3) fail("attention", `expects [batch, time, width], but got ${show(x.shape)}.`);
      const [batch, time] = x.shape;
      const joined = split(project(params.qkv, x), sizes, -1);
      const apart = (t: Tensor) => reshape(t, [batch, time, -1, headWidth]);
      if (together && params.queryNorm && params.keyNorm) {
        joined[0] = queryNorm.apply(params.queryNorm, joined[0]);
        joined[1] = keyNorm.apply(params.keyNorm, joined[1]);
      }
      const [q, k, values] = joined.map(apart);
      const place = (t: Tensor, norm: Layer<RmsNormParams>, own?: RmsNormParams) => {
        const y = own && !together ? norm.apply(own, t) : t;
        return options.rotary ? rotary(y, positions, options.rotary) : y;
      };
      return {
        queries: byHead(place(q, queryNorm, params.queryNorm)),
        keys: byHead(place(k, keyNorm, params.keyNorm)),
        values: byHead(values),
      };
    },
    mix(params, queries, keys, values, limits) {
      const [batch, , time] = queries.shape;
      const group = heads / keyHeads;
      const { lengths } = limits ?? {};
      // A group of query heads shares its key head: one new position by stacking the heads as queries, several by broadcasting. Without a
      // mask, the group stays a separate axis, so that keys and values are not copied.
      const lined = time === 1 && (lengths !== undefined || (group > 1 && !limits?.causal));
      const whole = limits?.causal && !limits.mask && scoreCap === undefined;
      const apart = (lengths !== undefined || whole) && group > 1 && !lined;
      const share = (t: Tensor) => {
        if (group === 1 || lined) return t;
        const [b, h, n, d] = t.shape;
        const wide = broadcastTo(expandDims(t, 2), [b, h, group, n, d]);
        return apart ? wide : reshape(wide, [b, heads, n, d]);
      };
      const asked = lined
        ? reshape(queries, [batch, keyHeads, group, headWidth])
        : apart
          ? reshape(queries, [batch, keyHeads, group, time, headWidth])
          : queries;
      const found =
        group === 1 && time === 1 && limits?.mask && !limits.causal
          ? attendOne(queries, keys, values, limits.mask, scoreScale, scoreCap)
          : tensorAttention(asked, share(keys), share(values), {
              ...limits,
              scale: scoreScale,
              cap: scoreCap,
              lengths: lengths?.rank ? reshape(lengths, apart ? [-1, 1, 1] : [-1, 1]) : lengths,
            });
      // With one position all heads are contiguous already.
      const each = lined ? found : byHead(apart ? reshape(found, queries.shape) : found);
      return project(params.output, reshape(each, [batch, time, heads * headWidth]));
    },
    apply(params, x, { mask, positions } = {}) {
      const { queries, keys, values } = layer.project(params, x, positions ?? iota([x.shape[1]]));
      const near = x.shape[1] > window ? upperMask(x.shape[1], x.shape[1], 1 - window) : undefined;
      const both = near && mask ? and(near, mask) : (near ?? mask);
      return layer.mix(params, queries, keys, values, { causal, mask: both });
    },
    start: (batch, maximum) => emptyCache(batch, maximum, keyHeads, headWidth),
    step(params, x, cache, position, { mask, rows, idle } = {}) {
      const positions = positionIds(position, x.shape[1]);
      const { queries, keys, values } = layer.project(params, x, positions);
      const state = writeCache(cache, keys, values, position, rows);
      const limits = (): Limits => {
        const slots = cache.keys.shape[2];
        const plain = window >= slots && scoreCap === undefined;
        const time = x.shape[1];
        if (time === 1 && !mask && plain && context > shortCache) {
          const lengths = add(position, 1);
          return { lengths: idle ? where(idle, 0, lengths) : lengths, rows };
        }
        if (time > 1 && time <= shortBlock && !mask && plain && headWidth > 8)
          return { lengths: add(position, time), causal: true, rows };
        const seen = cacheMask(positions, slots, window);
        return { mask: mask ? and(seen, mask) : seen };
      };
      const found = limits();
      const copied = rows && !found.lengths;
      const [allKeys, allValues] = [state.keys, state.values].map((t) => (copied ? take(t, rows) : t));
      return { output: layer.mix(params, queries, allKeys, allValues, found), state };
    },
  };
  return layer;
}

/** One query per head: its scores are sums over contiguous memory, which as matrix products would take twice as long. */
function attendOne(
  query: Tensor,
  keys: Tensor,
  values: Tensor,
  mask: Tensor,
  scale: number,
  cap: number | undefined,
): Tensor {
  const [batch, heads, slots] = keys.shape;
  const scores = mul(reshape(sum(mul(query, keys), -1), [batch, heads, 1, slots]), scale);
  return matmul(softmax(where(mask, softCap(scores, cap), -1e30)), values);
}

/** Swaps the axes of time and heads. */
const byHead = (t: Tensor): Tensor => permute(t, [0, 2, 1, 3]);
