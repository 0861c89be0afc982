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
 * What sampling left of a model's distribution is recorded with each token, one bit for each token of the vocabulary, and cut away again
 * when the text is learned from. A threshold would take a 32nd of the memory, but learning computes the same logits with other roundings:
 * a token at the edge would fall on its other side, and perhaps the very one that was drawn.
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

/** The logits that whole texts were sampled from, [batch, time, vocabulary]: the model's, changed as they were when `tokens` were followed. */
export function sampledFrom(
  logits: Tensor,
  { temperature = 1, repetition = 1 }: Sampling,
  { tokens, kept }: { readonly tokens: Tensor; readonly kept?: Tensor },
): Tensor {
  const size = logits.shape[2];
  let x = logits;
  if (repetition !== 1) x = repeated(x, seenSoFar(tokens, size), repetition);
  if (temperature !== 1 && temperature > 0) x = mul(x, 1 / temperature);
  return kept ? where(unpackKept(kept, size), x, never) : x;
}
