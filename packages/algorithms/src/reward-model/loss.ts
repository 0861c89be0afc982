import { fail, type LossInput, type LossTerm } from "@reins/core";
import { type Scalar, valueOf } from "@reins/core/settings";
import {
  add,
  cast,
  concat,
  div,
  expandDims,
  gt,
  logSumExp,
  lt,
  maximum,
  mean,
  mul,
  reshape,
  sqrt,
  square,
  sub,
  sum,
  type Tensor,
  where,
  zeros,
} from "@reins/tensor";
import { asTokenMean } from "../preference/completions.ts";
import { differences } from "../preference/lists.ts";

/** Rewarded completions of a batch, one row each. */
export interface RewardedRows {
  /** Reward by each head, [rows, heads]. */
  readonly reward: Tensor;
  /** 1 where the first row is better than the second, of the same prompt, [rows, rows]. */
  readonly better: Tensor;
  /** 1 where two rows belong to one prompt, [rows, rows]. */
  readonly same: Tensor;
  /** By how much a row should be better than the others of its prompt, [rows]. */
  readonly margin: Tensor;
  /** Prompts and compared pairs of the whole minibatch. */
  readonly count: Tensor;
  readonly pairs: Tensor;
}

/**
 * The rewards of whole texts, and how the texts compare. Reads the columns `group`, `score` and `margin`, each one number
 * for all tokens of a text.
 */
export function rewardedRows(input: LossInput): RewardedRows {
  const { columns, scored, whole } = input;
  const { reward, final } = scored.extra ?? {};
  if (!reward || !final)
    fail(
      "reward",
      "the policy does not score texts. Pass rewardPolicy(…), or train by name: reins train reward.",
    );
  const alive = columns.alive as Tensor;
  const present = cast(gt(sum(cast(alive, "f32"), 0), 0), "f32");
  // The value at the last token of each text.
  const ofRow = (column: Tensor) => mul(sum(mul(column, final), 0), present);
  const [group, score, margin] = ["group", "score", "margin"].map((name) => ofRow(columns[name] as Tensor));
  const both = mul(expandDims(present, 1), expandDims(present, 0));
  // Groups are numbered, so different ones are at least 1 apart.
  const same = mul(both, cast(lt(differences(group).abs(), 0.5), "f32"));
  const better = mul(same, cast(gt(differences(score), 1e-6), "f32"));
  const inList = maximum(sum(same, { axis: 1 }), 1);
  const all = whole ?? alive;
  // Parts of a minibatch hold whole pairs only, so half of the rows of all parts is their number.
  const halves = div(sum(cast(gt(sum(cast(all, "f32"), 0), 0), "f32")), 2);
  const count = maximum(whole ? halves : sum(div(present, inList)), 1);
  const pairs = maximum(whole ? halves : sum(better), 1);
  return { reward: sum(mul(reward, expandDims(final, -1)), 0), better, same, margin, count, pairs };
}

/**
 * The negative log-likelihood of each list of completions under the model of Plackett and Luce, [rows, heads]: row by
 * row, a completion is chosen among itself and all worse ones. A pair is −log σ(r⁺ − r⁻ − margin), the model of Bradley
 * and Terry. Completions with equal scores are not compared.
 */
export function rankingLoss({
  reward,
  better,
  margin,
}: Pick<RewardedRows, "reward" | "better" | "margin">): Tensor {
  const [rows, heads] = reward.shape;
  // [rows, rows, heads]: how far each row is behind each other row.
  const behind = sub(expandDims(reward, 0), expandDims(reward, 1));
  const gap = add(behind, reshape(margin, [rows, 1, 1]));
  const compared = where(gt(expandDims(better, -1), 0.5), gap, -1e30);
  return logSumExp(concat([zeros([rows, 1, heads]), compared], 1), 1);
}

/** The squared mean reward of each list, ×4: of a pair, (r⁺ + r⁻)². Each row has its list's share, [rows, heads]. */
export function centringLoss({ reward, same }: Pick<RewardedRows, "reward" | "same">): Tensor {
  const size = maximum(sum(same, { axis: 1 }), 1);
  const totals = sum(mul(expandDims(same, -1), expandDims(reward, 0)), { axis: 1 });
  const middle = div(totals, expandDims(size, -1));
  const present = cast(gt(sum(same, { axis: 1 }), 0.5), "f32");
  return mul(mul(square(middle), 4), expandDims(div(present, size), -1));
}

/** The loss of a reward model on compared completions as a term, with its metrics: the mean over prompts and heads. */
export const rewardTerm = (centring: Scalar): LossTerm => ({
  needs: { likelihood: "bound", for: "a reward model" },
  corrects: true,
  value(input) {
    const rows = rewardedRows(input);
    const { reward, better, count, pairs } = rows;
    const [, heads] = reward.shape;
    const perHead = (x: Tensor) => div(sum(x), mul(count, heads));
    const ranking = perHead(rankingLoss(rows));
    const value = add(ranking, mul(perHead(centringLoss(rows)), valueOf(centring)));
    const average = mean(reward, -1);
    const report = (name: string, ofPairs: Tensor) =>
      input.report(name, asTokenMean(div(sum(mul(better, ofPairs)), pairs), input));
    const gap = differences(average);
    input.report("loss/preference", asTokenMean(ranking, input));
    report("preference/accuracy", cast(gt(gap, 0), "f32"));
    report("preference/margin", gap);
    report("reward/chosen", expandDims(average, 1));
    report("reward/rejected", expandDims(average, 0));
    if (heads > 1) {
      const apart = sub(expandDims(reward, 1), expandDims(reward, 0));
      const spread = sqrt(mean(square(sub(apart, expandDims(gap, -1))), -1));
      report("preference/disagreement", spread);
    }
    return asTokenMean(value, input);
  },
});
