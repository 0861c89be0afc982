import type { LossInput } from "@reins/core";
import { fail } from "@reins/core";
import { add, and, div, gt, maximum, mul, sum, type Tensor, where } from "@reins/tensor";

/** Whole completions, one number each, [rows]: sums over their tokens. */
export interface Completions {
  /** Log-probability under the policy. */
  readonly logProb: Tensor;
  /** Log-probability under the reference policy. Throws if the method declares none. */
  readonly reference: Tensor;
  /** Tokens; at least 1. */
  readonly length: Tensor;
  /** Log-probability ratio to the reference policy. */
  readonly logRatio: Tensor;
}

/** The columns of a batch as completions, and the rows that are not padding (bool). */
export interface CompletionRows extends Completions {
  readonly present: Tensor;
  /** Sum over the tokens of each row. */
  total(ofTokens: Tensor): Tensor;
}

/**
 * Sums over tokens, row by row. Padding rows get the log-probability -1, so that losses such as log(1 - p) are finite
 * there, and so is their gradient.
 */
export function completionRows({ scored, columns }: LossInput): CompletionRows {
  const alive = columns.alive as Tensor;
  if (alive?.rank !== 2)
    fail("preferences", "need whole texts as columns [time, rows]. Use a language task.");
  // A completion is a row: another segment in the next one would be taken for the other completion of a pair.
  if (columns.episodeNumber)
    fail(
      "preferences",
      "a conversation has several segments, because its context was rebuilt or its chat template rewrites the history. Use a task or template that appends only, or a method that learns from rewards, such as grpo.",
    );
  const marked = columns.counted as Tensor | undefined;
  const counts = marked ? and(alive, gt(marked, 0.5)) : alive;
  const total = (ofTokens: Tensor) => sum(where(counts, ofTokens, 0), { axis: 0 });
  const tokens = sum(where(counts, 1, 0), { axis: 0 });
  const present = gt(tokens, 0);
  const whole = (ofTokens: Tensor) => where(present, total(ofTokens), -1);
  const logProb = whole(scored.logProb);
  const referenceTokens = () =>
    (columns.reference as Tensor | undefined) ??
    scored.extra?.reference ??
    fail("preferences", "this loss needs a reference policy. Declare one in the method's parts.");
  return {
    present,
    total,
    logProb,
    length: maximum(tokens, 1),
    get reference() {
      return whole(referenceTokens());
    },
    get logRatio() {
      return logProb.sub(whole(referenceTokens()));
    },
  };
}

/** Log-probabilities per token. */
export const perToken = ({ logProb, length }: Completions): Tensor => div(logProb, length);

/**
 * A number for the whole batch as a loss per token, whose mean over tokens is that number. With gradient accumulation
 * it is this part's contribution.
 */
export function asTokenMean(value: Tensor, { columns, whole }: LossInput): Tensor {
  const alive = where(columns.alive as Tensor, 1, 0);
  const own = maximum(sum(alive), 1);
  const all = add(sum(whole ? where(whole, 1, 0) : alive), 1e-8);
  return mul(alive, mul(value, div(all, own)));
}
