import type { LossInput, LossTerm } from "@reins/core";
import { and, cast, gt, maximum, neg, reshape, slice, sub, sum, type Tensor, where } from "@reins/tensor";
import {
  asTokenMean,
  type CompletionRows,
  type Completions,
  completionRows,
  perToken,
} from "./completions.ts";

/** Pairs of completions of a prompt: a chosen and a rejected one, [pairs]. */
export interface Pairs {
  readonly chosen: Completions;
  readonly rejected: Completions;
  /** Whether a pair is there or padding (bool). */
  readonly present: Tensor;
  /** Mean over the pairs of the minibatch; with gradient accumulation, this part's contribution to it. */
  mean(ofPairs: Tensor): Tensor;
  /** A number per completion as pairs, [pairs] each. */
  split(ofRows: Tensor): readonly [chosen: Tensor, rejected: Tensor];
  readonly rows: CompletionRows;
  readonly input: LossInput;
}

/** The loss of each pair, [pairs], or of the batch, a scalar. */
export type PairLoss = (pairs: Pairs) => Tensor;

/** The even rows are chosen completions, the odd rows the rejected ones of the same prompts. */
export function pairsOf(input: LossInput): Pairs {
  const rows = completionRows(input);
  const split = (ofRows: Tensor) => {
    const table = reshape(ofRows, [ofRows.shape[0] / 2, 2]);
    const column = (i: number) => reshape(slice(table, [null, [i, i + 1]]), [table.shape[0]]);
    return [column(0), column(1)] as const;
  };
  const half = (i: 0 | 1): Completions => ({
    logProb: split(rows.logProb)[i],
    length: split(rows.length)[i],
    get reference() {
      return split(rows.reference)[i];
    },
    get logRatio() {
      return split(rows.logRatio)[i];
    },
  });
  const [first, second] = split(rows.present);
  const present = and(first, second);
  // Pairs whose completions are equal in what counts are in the mean too.
  const mask = input.whole ?? (input.columns.alive as Tensor);
  const count = maximum(sum(cast(presentPairs(mask), "f32")), 1);
  const mean = (ofPairs: Tensor) => sum(where(present, ofPairs, 0)).div(count);
  return { chosen: half(0), rejected: half(1), present, split, mean, rows, input };
}

/** Pairs with tokens in the mask of a whole minibatch. */
function presentPairs(alive: Tensor): Tensor {
  const rows = cast(gt(sum(where(alive, 1, 0), { axis: 0 }), 0), "f32");
  return gt(sum(reshape(rows, [rows.shape[0] / 2, 2]), { axis: 1 }), 1.5);
}

/** How a method scores a completion: the implicit reward, without its factor β. */
export type ImplicitReward = (completions: Completions) => Tensor;

/** The log-probability ratio to the reference policy: the implicit reward of DPO. */
export const logRatio: ImplicitReward = (c) => c.logRatio;

/** The log-probability ratio per token. */
export const logRatioPerToken: ImplicitReward = (c) => c.logRatio.div(c.length);

/** A loss over pairs as a term, with its metrics; `reward` is the score by which they compare completions. */
export function pairTerm(loss: PairLoss, reward: ImplicitReward = logRatio): LossTerm {
  return {
    needs: { likelihood: "bound", for: "preference optimisation" },
    corrects: true,
    value(input) {
      const pairs = pairsOf(input);
      const { chosen, rejected, mean } = pairs;
      const each = loss(pairs);
      const value = each.rank === 0 ? each : mean(each);
      const [better, worse] = [reward(chosen), reward(rejected)];
      const report = (name: string, of: Tensor) => input.report(name, asTokenMean(mean(of), input));
      input.report("loss/preference", asTokenMean(value, input));
      report("preference/accuracy", cast(gt(better, worse), "f32"));
      report("preference/margin", sub(better, worse));
      report("preference/chosen", perToken(chosen));
      report("preference/rejected", perToken(rejected));
      return asTokenMean(value, input);
    },
  };
}

/**
 * The mean negative log-probability of the chosen completions' tokens: the supervised part of CPO and ORPO. With
 * gradient accumulation, this part's contribution.
 */
export function chosenLikelihood({ chosen, present, input }: Pairs): Tensor {
  const alive = input.whole ?? (input.columns.alive as Tensor);
  const tokens = sum(where(alive, 1, 0), { axis: 0 });
  const counted = sum(slice(reshape(tokens, [tokens.size / 2, 2]), [null, [0, 1]]));
  return neg(sum(where(present, chosen.logProb, 0))).div(maximum(counted, 1));
}
