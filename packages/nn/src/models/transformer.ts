import {
  add,
  and,
  concat,
  expandDims,
  full,
  ge,
  gt,
  iota,
  le,
  lowerMask,
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
import type { Cache } from "../layers/cache.ts";
import { type LinearParams, linear } from "../layers/linear.ts";
import type { LayerNormParams, RmsNormParams } from "../layers/norm.ts";

/** A projection of the observation, the blocks, and the last norm. */
export type TransformerEncoderParams = {
  input: LinearParams;
  blocks: BlockParams[];
  norm: RmsNormParams | LayerNormParams;
};

/**
 * The last `context` steps of every row, in a ring: `times` says which time step a slot holds (-1: none), `now` is the time of
 * the next step, and `begin` the time at which the row's episode began.
 */
export type TransformerState = { caches: Cache[]; times: Tensor; now: Tensor; begin: Tensor };

/** Settings of {@link transformerEncoder}. */
export interface TransformerEncoderOptions extends Omit<BlockOptions, "causal" | "style" | "window"> {
  /** Features of the observation. */
  inputs: number;
  /** How many steps back it remembers, this one included; more cost more memory and time (16 to 256). */
  context: number;
  /** Number of blocks; default 2. */
  layers?: number;
}

/**
 * A transformer over the observations of an episode, with the interface of a recurrent network: each block sees the last `context`
 * steps and nothing of earlier episodes. Positions are rotary, so only their differences matter. With `gated` its blocks are joined as those
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

  /** `xs` is [batch, time, features] and `resets` bool [batch, time]. */
  const run = (params: TransformerEncoderParams, xs: Tensor, state: TransformerState, resets?: Tensor) => {
    const [batch, time] = xs.shape;
    const at = add(expandDims(state.now, 1), iota([time])); // [batch, time]
    const begin = episodeBegin(at, state.begin, resets);
    const positions = sub(at, begin);
    const times = concat([state.times, at], 1);
    // A step sees itself and what came before it in its episode, as far as the context reaches.
    const [key, query] = [expandDims(times, 1), expandDims(at, 2)];
    const seen = and(and(le(key, query), gt(key, sub(query, context))), ge(key, expandDims(begin, 2)));
    const mask = expandDims(seen, 1);
    // Of a sequence longer than the context, only the end is remembered.
    const kept = Math.min(time, context);
    const end = (t: Tensor, axis: number) =>
      kept === time ? t : slice(t, [...Array<null>(axis).fill(null), [time - kept, time]]);
    const slots = mod(end(at, 1), context);
    const keep = (all: Tensor, fresh: Tensor) =>
      scatter(all, reshape(slots, [batch, 1, kept, 1]), end(fresh, 2), 2);
    const caches: Cache[] = [];
    const y = blocks.reduce(
      (x, block, i) =>
        block.around(params.blocks[i], x, (p, z) => {
          const { queries, keys, values } = block.attention.project(p, z, positions);
          const old = state.caches[i];
          caches.push({ keys: keep(old.keys, keys), values: keep(old.values, values) });
          return block.attention.mix(
            p,
            queries,
            concat([old.keys, keys], 2),
            concat([old.values, values], 2),
            { mask },
          );
        }),
      input.apply(params.input, xs),
    );
    const last = (t: Tensor) => reshape(slice(t, [null, [time - 1, time]]), [batch]);
    const next = {
      caches,
      times: scatter(state.times, slots, end(at, 1), 1),
      now: add(state.now, time),
      begin: last(begin),
    };
    return { output: norm.apply(params.norm, y), state: next };
  };

  return {
    init(key) {
      const keys = random.splitKey(key, layers + 1);
      return {
        input: input.init(keys[layers]),
        blocks: blocks.map((b, i) => b.init(keys[i])),
        norm: norm.init(keys[0]),
      };
    },
    start: (batch) => ({
      caches: blocks.map((b) => b.start(batch, context)),
      times: full([batch, context], -1, "i32"),
      now: zeros([batch], "i32"),
      begin: zeros([batch], "i32"),
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

/** When the episode of each step began: the latest reset up to it, or what the state says. */
function episodeBegin(at: Tensor, before: Tensor, resets?: Tensor): Tensor {
  const [batch, time] = at.shape;
  const start = reshape(before, [batch, 1, 1]);
  if (!resets) return add(reshape(start, [batch, 1]), zeros([batch, time], "i32"));
  const candidates = and(lowerMask(time), expandDims(resets, 1)); // [batch, step, earlier step]
  return max(where(candidates, expandDims(at, 1), start), 2);
}
