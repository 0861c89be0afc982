import { type Scalar, valueOf } from "@reins/core/settings";
import { add, gt, mul, type Tensor, where } from "@reins/tensor";
import { dpoLoss } from "./dpo.ts";
import type { PairLoss } from "./pairs.ts";

/**
 * DPO's loss plus α times the log-probability of the completion of the pair that the reference policy sampled (column
 * `explored`, 1 on its tokens): an optimistic bonus for completions that the reference would not write.
 */
export const xpoLoss =
  (beta: Scalar, alpha: Scalar): PairLoss =>
  (pairs) => {
    const { chosen, rejected, rows, split, input } = pairs;
    const [first] = split(rows.total(input.columns.explored as Tensor));
    const explored = where(gt(first, 0.5), chosen.logProb, rejected.logProb);
    return add(dpoLoss(beta)(pairs), mul(explored, valueOf(alpha)));
  };
