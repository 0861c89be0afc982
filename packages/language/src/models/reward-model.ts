import { fail } from "@reins/core";
import { type GptParams, init } from "@reins/nn";
import { add, gather, matmul, mean, reshape, sub, type Tensor } from "@reins/tensor";
import type { LanguageModel } from "./language-model.ts";

/**
 * A decoder's parameters (or its adapters) without an output layer, and the heads: weight [width, heads] and, in folders
 * that have one, bias [heads].
 */
export type RewardParams = { base: GptParams; head: { weight: Tensor; bias?: Tensor } };

/** Options of a new reward model. */
export interface RewardHeadOptions {
  /** Heads on one body, as an ensemble (default 1). They differ in their initial weights. */
  readonly heads?: number;
  /**
   * Padding token. A text is scored at its last token that is not padding, as in transformers; where padding and end
   * token are one, that is the token before the end.
   */
  readonly padding?: number;
}

/** A reward model: a decoder that scores texts, with one head or an ensemble of heads. */
export interface RewardModel {
  /** The decoder. */
  readonly base: LanguageModel;
  readonly params: RewardParams;
  readonly heads: number;
  readonly padding?: number;
  /** The reward by each head after each token: f32 [batch, time, heads] from tokens, i32 [batch, time]. */
  rewards(params: RewardParams, tokens: Tensor, how?: { readonly key?: Tensor }): Tensor;
  /**
   * One score per row of `tokens` (i32 [batch, time]): the mean of the heads at the row's last token. `lengths` (i32
   * [batch]) give its position.
   */
  score(params: RewardParams, tokens: Tensor, lengths: Tensor): Tensor;
}

/** A reward model with new heads on a decoder, to be trained on preferences (Stiennon et al., 2020). */
export function rewardHead(
  base: LanguageModel,
  key: Tensor,
  { heads = 1, padding }: RewardHeadOptions = {},
): RewardModel {
  if (!(Number.isSafeInteger(heads) && heads >= 1))
    fail("rewardHead", `heads is ${heads}; it must be a whole number of at least 1.`);
  return rewardModel(base, { weight: freshHead(base, key, heads) }, padding);
}

/** Initial weights of heads, [width, heads]. */
export const freshHead = ({ options: { width } }: LanguageModel, key: Tensor, heads: number): Tensor =>
  init.normal(1 / Math.sqrt(width + 1))(key, [width, heads]);

/** A reward model from a decoder and the weights of its heads. The decoder's output layer is left out. */
export function rewardModel(base: LanguageModel, head: RewardParams["head"], padding?: number): RewardModel {
  const heads = head.weight.shape[1];
  const { head: _, ...body } = base.params;
  const headed = (hidden: Tensor, { weight, bias }: RewardParams["head"]) => {
    const scores = matmul(hidden, weight);
    return bias ? add(scores, bias) : scores;
  };
  return {
    base,
    params: { base: body, head },
    heads,
    ...(padding === undefined ? {} : { padding }),
    rewards: (params, tokens, how) => headed(base.model.hidden(params.base, tokens, how), params.head),
    score(params, tokens, lengths) {
      const [rows] = tokens.shape;
      const hidden = base.model.hidden(params.base, tokens);
      const last = gather(hidden, reshape(sub(lengths, 1), [rows, 1, 1]), 1);
      return mean(reshape(headed(last, params.head), [rows, heads]), 1);
    },
  };
}
