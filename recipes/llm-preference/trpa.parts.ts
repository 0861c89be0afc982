import { grpo } from "@reins/algorithms";
import type { JudgedEpisode, LossTerm } from "@reins/core";
import { scoreOf } from "@reins/core/episodes";
import * as losses from "@reins/core/losses";
import * as targets from "@reins/core/targets";
import { answerOf } from "@reins/language";
import {
  add,
  cast,
  div,
  exp,
  lt,
  maximum,
  mul,
  neg,
  reshape,
  softplus,
  sub,
  sum,
  type Tensor,
  where,
} from "@reins/tensor";

/** Preference level of an answer: 1 is right, 2 is wrong with the right number of steps, 3 is anything else. */
export function levelOf(judged: JudgedEpisode): number {
  const { problem, text } = answerOf(judged.episode);
  if (scoreOf(judged) >= 1) return 1;
  return text.length === problem.answer.length ? 2 : 3;
}

/** Settings of {@link preferenceLoss}. */
export interface PreferenceOptions {
  readonly beta: number;
  /** Factor of pairs with a right answer. */
  readonly anisotropy: number;
  /** Weight of the divergence from the policy at the start of the update. */
  readonly trust: number;
  /** Whether a pair counts less as its order is learned. */
  readonly saturates: boolean;
}

/**
 * For all pairs of answers of a `group` with different `level`: −log σ(h), where h is β times the difference of their mean log-probability
 * ratios to the reference. Every pair has the same weight.
 */
export const preferenceLoss = ({ beta, anisotropy, trust, saturates }: PreferenceOptions): LossTerm =>
  losses.aggregated("text", {
    needs: { likelihood: "exact", for: "the preferences of answers" },
    corrects: true,
    value({ scored, columns, report }) {
      const alive = where(columns.alive as Tensor, 1, 0);
      const rows = alive.shape[1];
      const length = maximum(sum(alive, { axis: 0 }), 1);
      const ofRow = (value: Tensor) => div(sum(mul(value, alive), { axis: 0 }), length);
      const ratio = ofRow(sub(scored.logProb, scored.extra?.reference as Tensor));
      const [group, level] = [ofRow(columns.group as Tensor), ofRow(columns.level as Tensor)];
      const apart = (x: Tensor) => sub(reshape(x, [rows, 1]), reshape(x, [1, rows]));
      const same = cast(lt(mul(apart(group), apart(group)), 0.25), "f32");
      const preferred = mul(same, cast(lt(apart(level), -0.5), "f32"));
      const factor = reshape(where(lt(level, 1.5), beta * anisotropy, beta), [rows, 1]);
      const h = mul(apart(ratio), factor);
      const pairs = mul(preferred, saturates ? softplus(neg(h)) : mul(h, -0.5));
      const answers = sum(cast(lt(0, level), "f32"));
      const each = mul(sum(pairs, { axis: 1 }), div(answers, maximum(sum(preferred), 1)));
      const moved = sub(columns.logProb as Tensor, scored.logProb);
      const kl = sub(sub(exp(moved), 1), moved);
      report("policy/entropy", scored.entropy);
      report("policy/kl", kl);
      return mul(alive, add(reshape(each, [1, rows]), mul(kl, trust)));
    },
  });

/** GRPO's samples with preferences between them in place of advantages. */
export const trpa = (saturates: boolean) =>
  grpo.with("trpa", {
    reference: { penalised: true },
    loss: preferenceLoss({ beta: 0.1, anisotropy: 2.5, trust: 0.001, saturates }),
    target: (batch, _rewards, judged) => ({
      group: targets.spread(
        targets.groupsOf(batch).map((g) => g + 1),
        batch,
      ),
      level: targets.spread(judged.map(levelOf), batch),
    }),
  });
