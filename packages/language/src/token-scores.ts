import { exp, logSoftmax, max, mul, neg, pick, stack, sum, type Tensor, type Tree } from "@reins/tensor";
import { inBlocks } from "./row-blocks.ts";

/** Inputs of token scores, one row per token. */
export interface TokenRows<B extends Tree = Tensor> {
  /** Input of the output layer, [rows, width]. */
  readonly hidden: Tensor;
  /** The chosen tokens, i32 [rows]. */
  readonly chosen: Tensor;
  /** Rows to compute, bool [rows] (default: all). The others get 0 and cost nothing beyond partial blocks. */
  readonly needed?: Tensor;
  /** Further inputs of the logits, one entry per row, [rows, …]. */
  readonly beside?: B;
  /** Whether to compute the log-probability of each row's most likely token. It has no gradient. */
  readonly top?: boolean;
  /** Weight of the output layer, where it is trained. */
  readonly weight?: Tensor;
}

/** Logits [rows, vocabulary] of the sampling distribution. */
export type LogitsOf<B extends Tree = Tensor> = (
  hidden: Tensor,
  beside: B | undefined,
  weight: Tensor | undefined,
) => Tensor;

/**
 * Log-probability of the chosen token, entropy, and on request the most likely token's log-probability, each [rows].
 */
export type TokenScores = { readonly logProb: Tensor; readonly entropy: Tensor; readonly top?: Tensor };

/** Scores of rows from their logits. */
export function scoresOf(logits: Tensor, chosen: Tensor, top = false): TokenScores {
  const p = logSoftmax(logits);
  return {
    logProb: pick(p, chosen),
    entropy: neg(sum(mul(exp(p), p), -1)),
    ...(top ? { top: max(p, -1) } : {}),
  };
}

/** Scores of rows in blocks ({@link inBlocks}). */
export function scoresInBlocks<B extends Tree = Tensor>(
  { hidden, chosen, needed, beside, top, weight }: TokenRows<B>,
  logitsOf: LogitsOf<B>,
  block: number,
): TokenScores {
  const found = inBlocks<{ chosen: Tensor; more?: B }>(
    { hidden, needed, weight, beside: { chosen, ...(beside === undefined ? {} : { more: beside }) } },
    { count: top ? 3 : 2, block },
    (own, { chosen, more }, weight) => {
      const scores = scoresOf(logitsOf(own, more, weight), chosen, top);
      return stack(
        scores.top ? [scores.logProb, scores.entropy, scores.top] : [scores.logProb, scores.entropy],
      );
    },
  );
  const [logProb, entropy, highest] = found;
  return { logProb, entropy, ...(top ? { top: highest } : {}) };
}
