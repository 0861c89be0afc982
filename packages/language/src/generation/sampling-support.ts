import {
  and,
  broadcastTo,
  cast,
  expandDims,
  flip,
  full,
  gt,
  iota,
  le,
  mul,
  ne,
  pad,
  reshape,
  scatter,
  shl,
  shr,
  slice,
  sum,
  type Tensor,
  where,
} from "@reins/tensor";
import { never, repeated, type Sampling } from "./sampling.ts";

/**
 * The kept set of a token: the tokens that sampling could choose from, after constraints, topK, topP and minP. It is
 * recorded with each token, one bit per vocabulary entry, and the loss renormalises over it. A threshold would take
 * 1/32 of the memory, but the training pass rounds logits differently: a token at the edge would change sides,
 * perhaps even the sampled one.
 */
const bits = 32;

/** Whether the sampling settings exclude tokens. */
export const cuts = ({ topK, topP, minP }: Sampling = {}): boolean =>
  topK !== undefined || (topP ?? 1) < 1 || (minP ?? 0) > 0;

/** 32-bit words per vocabulary. */
export const wordsFor = (vocabulary: number): number => Math.ceil(vocabulary / bits);

/** The kept sets of logits [rows, vocabulary]: i32 [rows, words]. */
export function packKept(shaped: Tensor): Tensor {
  const [rows, size] = shaped.shape;
  const words = wordsFor(size);
  const marks = pad(cast(gt(shaped, never / 2), "i32"), [
    [0, 0],
    [0, words * bits - size],
  ]);
  return sum(shl(reshape(marks, [rows, words, bits]), iota([bits])), -1);
}

/** Kept sets as bool [batch, time, vocabulary] from i32 [batch, time, words]. */
export function unpackKept(kept: Tensor, vocabulary: number): Tensor {
  const [batch, time, words] = kept.shape;
  const marks = and(shr(expandDims(kept, -1), iota([bits])), 1);
  const all = ne(reshape(marks, [batch, time, words * bits]), 0);
  return words * bits === vocabulary ? all : slice(all, [null, null, [0, vocabulary]]);
}

/**
 * Which tokens have occurred up to and including each position: bool [batch, time, vocabulary] from i32 [batch,
 * time].
 */
export function seenSoFar(tokens: Tensor, vocabulary: number): Tensor {
  const [batch, time] = tokens.shape;
  const positions = broadcastTo(iota([time]), [batch, time]);
  // Written from the end, so that the first position of each token remains.
  const never = full([batch, vocabulary], time, "i32");
  const first = scatter(never, flip(tokens, 1), flip(positions, 1), 1);
  return le(
    broadcastTo(expandDims(first, 1), [batch, time, vocabulary]),
    broadcastTo(reshape(iota([time]), [1, time, 1]), [batch, time, vocabulary]),
  );
}

/** Per-token sampling settings, where they differ between tokens: the column `trace` of episodes. */
export type SamplingTrace = {
  /** Kept sets, i32 [batch, time, words]. */
  readonly kept?: Tensor;
  /**
   * 1 / temperature of tokens sampled at a request's own temperature, f32 [batch, time]; 0 for the policy's
   * temperature.
   */
  readonly inverseTemperature?: Tensor;
};

/** The logits of the distribution that whole texts were sampled from, [batch, time, vocabulary]. */
export function sampledFrom(
  logits: Tensor,
  { temperature = 1, repetition = 1 }: Sampling,
  { tokens, kept, inverseTemperature }: { readonly tokens: Tensor } & SamplingTrace,
): Tensor {
  const size = logits.shape[2];
  let x = logits;
  if (repetition !== 1) x = repeated(x, seenSoFar(tokens, size), repetition);
  const usual = temperature > 0 ? 1 / temperature : 1;
  if (inverseTemperature) {
    const inverse = where(gt(inverseTemperature, 0), inverseTemperature, usual);
    x = mul(x, broadcastTo(expandDims(inverse, -1), x.shape));
  } else if (usual !== 1) x = mul(x, usual);
  return kept ? where(unpackKept(kept, size), x, never) : x;
}
