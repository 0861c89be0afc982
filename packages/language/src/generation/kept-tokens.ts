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
 * The kept set of a token: the tokens that sampling could choose from, after constraints, topK, topP and minP. It is recorded with each
 * token, one bit for each token of the vocabulary, and the loss renormalises over it. A threshold would take a 32nd of the memory, but
 * learning rounds logits differently: a token at the edge would change sides, perhaps the very one that was sampled.
 */

/** Bits of a word. */
const bits = 32;

/** Whether a way of sampling leaves tokens out. */
export const cuts = ({ topK, topP, minP }: Sampling = {}): boolean =>
  topK !== undefined || (topP ?? 1) < 1 || (minP ?? 0) > 0;

/** Words that a vocabulary takes. */
export const wordsFor = (vocabulary: number): number => Math.ceil(vocabulary / bits);

/** The tokens that may be drawn from logits [rows, vocabulary]: i32 [rows, words]. */
export function packKept(shaped: Tensor): Tensor {
  const [rows, size] = shaped.shape;
  const words = wordsFor(size);
  const marks = pad(cast(gt(shaped, never / 2), "i32"), [
    [0, 0],
    [0, words * bits - size],
  ]);
  return sum(shl(reshape(marks, [rows, words, bits]), iota([bits])), -1);
}

/** The same as bool [batch, time, vocabulary] from i32 [batch, time, words]. */
export function unpackKept(kept: Tensor, vocabulary: number): Tensor {
  const [batch, time, words] = kept.shape;
  const marks = and(shr(expandDims(kept, -1), iota([bits])), 1);
  const all = ne(reshape(marks, [batch, time, words * bits]), 0);
  return words * bits === vocabulary ? all : slice(all, [null, null, [0, vocabulary]]);
}

/** Where each token stands in its text already, itself included: bool [batch, time, vocabulary] from i32 [batch, time]. */
export function seenSoFar(tokens: Tensor, vocabulary: number): Tensor {
  const [batch, time] = tokens.shape;
  const positions = broadcastTo(iota([time]), [batch, time]);
  // Written from the end on, so that the first place of each token stays.
  const never = full([batch, vocabulary], time, "i32");
  const first = scatter(never, flip(tokens, 1), flip(positions, 1), 1);
  return le(
    broadcastTo(expandDims(first, 1), [batch, time, vocabulary]),
    broadcastTo(reshape(iota([time]), [1, time, 1]), [batch, time, vocabulary]),
  );
}

/** How each token was sampled, where that differs from token to token: the column `trace` of episodes. */
export type SamplingTrace = {
  /** Kept sets, i32 [batch, time, words]. */
  readonly kept?: Tensor;
  /** 1 / temperature of tokens that were sampled at one of their own, f32 [batch, time]; 0 for those sampled at the policy's. */
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
