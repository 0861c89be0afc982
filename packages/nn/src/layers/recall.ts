import {
  add,
  and,
  cast,
  div,
  eq,
  exp,
  expandDims,
  ge,
  matmul,
  max,
  mul,
  permute,
  random,
  reshape,
  slice,
  softmax,
  stopGradient,
  sub,
  type Tensor,
  topK,
  transpose,
  where,
  zeros,
} from "@reins/tensor";
import { type AttentionParams, attention } from "./attention.ts";
import { type LinearParams, linear, project } from "./linear.ts";

/** `ask` computes the queries for summaries, `tell` the contribution of each step to its chunk's summary; `attention` attends within chunks. */
export type ChunkAttentionParams = { ask: LinearParams; tell: LinearParams; attention: AttentionParams };

/** Stored steps, by head: [batch, heads, steps, …]. Summaries have one head. */
export type ChunkCache = { keys: Tensor; values: Tensor; summary: Tensor };

/** Settings of {@link chunkAttention}. */
export interface ChunkAttentionOptions {
  /** Width of the input and output. */
  width: number;
  heads: number;
  /** Steps of a chunk (4 to 32). */
  chunk: number;
  /** Number of chunks to attend to (1 to 16). */
  chosen: number;
}

/** Two-stage attention over a past that is split into chunks. */
export interface ChunkAttention {
  init(key: Tensor): ChunkAttentionParams;
  /** An empty past with room for `steps` steps. */
  start(batch: number, steps: number): ChunkCache;
  /** The stored form of new steps, `x` [batch, time, width]; `places` are their positions within their chunks, i32 [batch, time]. */
  keep(params: ChunkAttentionParams, x: Tensor, places: Tensor): ChunkCache;
  /** The attention output of `x` over a past. Steps with equal numbers in `chunks`, i32 [batch, steps], form a chunk; `seen`, bool [batch, time, steps], marks the visible chunks, each as a whole. */
  find(params: ChunkAttentionParams, x: Tensor, past: ChunkCache, chunks: Tensor, seen: Tensor): Tensor;
}

const nowhere = -1e30;

/**
 * Hierarchical attention (Lampinen et al., "Towards mental time travel", 2021): chunks of the past are ranked by their summaries, the means of
 * their steps' keys; the top chunks are attended to separately, and their outputs are weighted by relevance. Other chunks cost nothing, and
 * the distance in time does not matter.
 */
export function chunkAttention({ width, heads, chunk, chosen }: ChunkAttentionOptions): ChunkAttention {
  const ask = linear({ inputs: width, outputs: width, bias: false });
  const attend = attention({ width, heads, causal: false, bias: false, outputBias: false, rotary: {} });
  const headWidth = width / heads;
  return {
    init(key) {
      const [a, b, c] = random.splitKey(key, 3);
      return { ask: ask.init(a), tell: ask.init(b), attention: attend.init(c) };
    },
    start: (batch, steps) => ({
      keys: zeros([batch, heads, steps, headWidth]),
      values: zeros([batch, heads, steps, headWidth]),
      summary: zeros([batch, 1, steps, width]),
    }),
    keep(params, x, places) {
      const { keys, values } = attend.project(params.attention, x, places);
      return { keys, values, summary: expandDims(project(params.tell, x), 1) };
    },
    find(params, x, { keys, values, summary }, chunks, seen) {
      const [batch, time] = x.shape;
      const steps = chunks.shape[1];
      const same = cast(eq(expandDims(chunks, 1), expandDims(chunks, 2)), "f32");
      // Keys are linear, so a chunk's key is the mean of its steps' keys, and its score the mean of theirs.
      const summaries = reshape(summary, [batch, steps, width]);
      const scores = mul(matmul(project(params.ask, x), transpose(summaries, 1, 2)), 1 / Math.sqrt(width));
      const byChunk = where(seen, div(matmul(scores, same), chunk), nowhere);
      const relevance = mul(softmax(byChunk), chunk);
      // All steps of a chunk have its score, so the k-th highest score over steps is that of the last chosen chunk.
      const most = Math.min(steps, chosen * chunk);
      const least = slice(topK(stopGradient(byChunk), most).values, [null, null, [most - 1, most]]);
      const open = and(seen, ge(byChunk, least));
      const { queries } = attend.project(params.attention, x, zeros([time], "i32"));
      const within = expandDims(open, 1);
      const near = where(
        within,
        mul(matmul(queries, transpose(keys, 2, 3)), 1 / Math.sqrt(headWidth)),
        nowhere,
      );
      const raised = where(within, exp(sub(near, stopGradient(expandDims(max(near, -1), -1)))), 0);
      const share = div(raised, add(matmul(raised, expandDims(same, 1)), 1e-20));
      const found = matmul(mul(share, expandDims(where(open, relevance, 0), 1)), values);
      return project(params.attention.output, reshape(permute(found, [0, 2, 1, 3]), [batch, time, width]));
    },
  };
}
