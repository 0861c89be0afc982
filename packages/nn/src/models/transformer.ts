import {
  add,
  and,
  concat,
  eq,
  expandDims,
  full,
  ge,
  gt,
  iota,
  le,
  lowerMask,
  lt,
  max,
  mod,
  random,
  reshape,
  scatter,
  slice,
  sub,
  type Tensor,
  transpose,
  where,
  zeros,
} from "@reins/tensor";
import { fail, show } from "../errors.ts";
import type { Recurrent } from "../layer.ts";
import { type BlockOptions, type BlockParams, normOf, transformerBlock } from "../layers/block.ts";
import type { KvCache } from "../layers/cache.ts";
import { type LinearParams, linear } from "../layers/linear.ts";
import type { LayerNormParams, RmsNormParams } from "../layers/norm.ts";
import { type ChunkAttentionParams, type ChunkCache, chunkAttention } from "../layers/recall.ts";

/** A projection of the observation, the blocks, and the last norm; a `chunkAttention` for each block if the past is split into chunks. */
export type TransformerEncoderParams = {
  input: LinearParams;
  blocks: BlockParams[];
  recalls?: ChunkAttentionParams[];
  norm: RmsNormParams | LayerNormParams;
};

/**
 * The last `context` steps of every row, in a ring buffer: `times` is the time step of each slot (-1: empty), `now` the time of
 * the next step, and `begin` the first time of the row's episode. If the past is split into chunks, `past` stores them
 * and `chunks` is the first time of each slot's chunk.
 */
export type TransformerState = {
  caches: KvCache[];
  times: Tensor;
  now: Tensor;
  begin: Tensor;
  past?: ChunkCache[];
  chunks?: Tensor;
};

/** Settings of {@link transformerEncoder}. */
export interface TransformerEncoderOptions extends Omit<BlockOptions, "causal" | "style" | "window"> {
  /** Features of the observation. */
  inputs: number;
  /** Number of steps in memory, the current one included. More cost more memory and time (16 to 256). */
  context: number;
  /** Number of blocks (default 2). */
  layers?: number;
  /** Splits the past into chunks of `steps` steps: a step attends to its own chunk, and to the `chosen` earlier ones with the most relevant summaries (HCAM). */
  chunks?: { steps: number; chosen: number };
}

/**
 * A transformer over the observations of an episode, with the interface of a recurrent network: each block attends to the last
 * `context` steps of the current episode. Positions are rotary, so only their differences matter. With `gated`, its blocks use the gates
 * of GTrXL (Parisotto et al., 2020).
 */
export function transformerEncoder(
  options: TransformerEncoderOptions,
): Recurrent<TransformerEncoderParams, TransformerState> {
  const { inputs, width, context, layers = 2 } = options;
  const input = linear({ inputs, outputs: width });
  const blocks = Array.from({ length: layers }, () =>
    transformerBlock({ ...options, style: "llama", rotary: options.rotary ?? {} }),
  );
  const norm = normOf("llama", width, options.epsilon);
  const cut = options.chunks;
  const recalls = cut
    ? blocks.map(() => chunkAttention({ width, heads: options.heads, chunk: cut.steps, chosen: cut.chosen }))
    : [];

  /** `xs` is [batch, time, features] and `resets` bool [batch, time]. */
  const run = (params: TransformerEncoderParams, xs: Tensor, state: TransformerState, resets?: Tensor) => {
    const [batch, time] = xs.shape;
    const at = add(expandDims(state.now, 1), iota([time])); // [batch, time]
    const begin = episodeBegin(at, state.begin, resets);
    const positions = sub(at, begin);
    const times = concat([state.times, at], 1);
    // A step attends to itself and to earlier steps of its episode within the context.
    const [key, query] = [expandDims(times, 1), expandDims(at, 2)];
    const seen = and(and(le(key, query), gt(key, sub(query, context))), ge(key, expandDims(begin, 2)));
    // With chunks: the first time of each step's chunk; a step attends to its own chunk, and recalls whole earlier ones.
    const own = cut && sub(at, mod(positions, cut.steps));
    const all = own && state.chunks && concat([state.chunks, own], 1);
    const whose = all && expandDims(all, 1);
    const inOwn = own && whose && eq(whose, expandDims(own, 2));
    const mask = expandDims(inOwn ? and(seen, inOwn) : seen, 1);
    const before =
      own &&
      whose &&
      and(
        and(lt(whose, expandDims(own, 2)), gt(whose, sub(query, context))),
        ge(whose, expandDims(begin, 2)),
      );
    // If a sequence is longer than the context, only its end is stored.
    const kept = Math.min(time, context);
    const end = (t: Tensor, axis: number) =>
      kept === time ? t : slice(t, [...Array<null>(axis).fill(null), [time - kept, time]]);
    const slots = mod(end(at, 1), context);
    const keep = (all: Tensor, fresh: Tensor) =>
      scatter(all, reshape(slots, [batch, 1, kept, 1]), end(fresh, 2), 2);
    const caches: KvCache[] = [];
    const past: ChunkCache[] = [];
    /** A block's output of recalled chunks. */
    const recalled = (i: number, z: Tensor): Tensor | undefined => {
      const [own, old] = [params.recalls?.[i], state.past?.[i]];
      if (!cut || !own || !old || !all || !before) return undefined;
      const fresh = recalls[i].keep(own, z, mod(positions, cut.steps));
      const both = (pick: (r: ChunkCache) => Tensor) => concat([pick(old), pick(fresh)], 2);
      const joined = {
        keys: both((r) => r.keys),
        values: both((r) => r.values),
        summary: both((r) => r.summary),
      };
      past.push({
        keys: keep(old.keys, fresh.keys),
        values: keep(old.values, fresh.values),
        summary: keep(old.summary, fresh.summary),
      });
      return recalls[i].find(own, z, joined, all, before);
    };
    const y = blocks.reduce(
      (x, block, i) =>
        block.around(params.blocks[i], x, (p, z) => {
          const { queries, keys, values } = block.attention.project(p, z, positions);
          const old = state.caches[i];
          caches.push({ keys: keep(old.keys, keys), values: keep(old.values, values) });
          const near = block.attention.mix(
            p,
            queries,
            concat([old.keys, keys], 2),
            concat([old.values, values], 2),
            { mask },
          );
          const far = recalled(i, z);
          return far ? add(near, far) : near;
        }),
      input.apply(params.input, xs),
    );
    const last = (t: Tensor) => reshape(slice(t, [null, [time - 1, time]]), [batch]);
    const next = {
      caches,
      times: scatter(state.times, slots, end(at, 1), 1),
      now: add(state.now, time),
      begin: last(begin),
      ...(own && state.chunks && { past, chunks: scatter(state.chunks, slots, end(own, 1), 1) }),
    };
    return { output: norm.apply(params.norm, y), state: next };
  };

  return {
    init(key) {
      const keys = random.splitKey(key, layers + 1);
      return {
        input: input.init(keys[layers]),
        blocks: blocks.map((b, i) => b.init(keys[i])),
        ...(cut && { recalls: recalls.map((r, i) => r.init(random.foldKey(keys[i], 2))) }),
        norm: norm.init(keys[0]),
      };
    },
    start: (batch) => ({
      caches: blocks.map((b) => b.start(batch, context)),
      times: full([batch, context], -1, "i32"),
      now: zeros([batch], "i32"),
      begin: zeros([batch], "i32"),
      ...(cut && {
        past: recalls.map((r) => r.start(batch, context)),
        chunks: full([batch, context], -1, "i32"),
      }),
    }),
    step(params, x, state, reset) {
      const { output, state: next } = run(params, expandDims(x, 1), state, reset && expandDims(reset, 1));
      return { output: reshape(output, [x.shape[0], width]), state: next };
    },
    sequence(params, xs, state, resets) {
      if (xs.rank !== 3)
        fail("transformerEncoder", `expects [time, batch, features], but got ${show(xs.shape)}.`);
      const { output, state: next } = run(
        params,
        transpose(xs, 0, 1),
        state,
        resets && transpose(resets, 0, 1),
      );
      return { output: transpose(output, 0, 1), state: next };
    },
  };
}

/** The first time of each step's episode: the latest reset up to it, or that of the state. */
function episodeBegin(at: Tensor, before: Tensor, resets?: Tensor): Tensor {
  const [batch, time] = at.shape;
  const start = reshape(before, [batch, 1, 1]);
  if (!resets) return add(reshape(start, [batch, 1]), zeros([batch, time], "i32"));
  const candidates = and(lowerMask(time), expandDims(resets, 1)); // [batch, step, earlier step]
  return max(where(candidates, expandDims(at, 1), start), 2);
}
