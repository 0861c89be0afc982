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

/** `ask` makes what summaries are asked by, `tell` what each step adds to its chunk's summary; `attention` looks into chunks. */
export type RecallParams = { ask: LinearParams; tell: LinearParams; attention: AttentionParams };

/** What is kept of steps, by head: [batch, heads, steps, …]. Summaries have one head. */
export type Recollection = { keys: Tensor; values: Tensor; summary: Tensor };

/** Settings of {@link recall}. */
export interface RecallOptions {
  /** Length of what goes in and comes out. */
  width: number;
  heads: number;
  /** Steps of a chunk (4 to 32). */
  chunk: number;
  /** Chunks that are looked into at a time (1 to 16). */
  chosen: number;
}

/** Attention in two stages over a past that is cut into chunks. */
export interface Recall {
  init(key: Tensor): RecallParams;
  /** An empty past of so many steps. */
  start(batch: number, steps: number): Recollection;
  /** What is kept of new steps, `x` [batch, time, width]; `places` are theirs within their chunks, i32 [batch, time]. */
  keep(params: RecallParams, x: Tensor, places: Tensor): Recollection;
  /** What `x` finds in a past. `chunks` tells by equal numbers which steps are of one chunk, i32 [batch, steps]; `seen`, bool [batch, time, steps], which may be looked into, whole chunks each. */
  find(params: RecallParams, x: Tensor, past: Recollection, chunks: Tensor, seen: Tensor): Tensor;
}

const nowhere = -1e30;

/**
 * Hierarchical attention (Lampinen et al., "Towards mental time travel", 2021): chunks of the past are compared by their summaries, the means of their steps' keys; the most relevant are looked
 * into, each by an attention of its own, and what is found counts as much as its chunk is relevant. What lies between costs nothing, and how long ago it was does not matter.
 */
export function recall({ width, heads, chunk, chosen }: RecallOptions): Recall {
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
      const told = reshape(summary, [batch, steps, width]);
      const scores = mul(matmul(project(params.ask, x), transpose(told, 1, 2)), 1 / Math.sqrt(width));
      const byChunk = where(seen, div(matmul(scores, same), chunk), nowhere);
      const relevance = mul(softmax(byChunk), chunk);
      // All steps of a chunk have its score: the least of so many of the highest is that of the last chunk that is chosen.
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
