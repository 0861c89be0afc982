import { grpo } from "@reins/algorithms";
import type { ActionScores, LossTerm, ScoringPolicy, Stage } from "@reins/core";
import type { TextStageOptions } from "@reins/language";
import type { GptParams } from "@reins/nn";
import * as t from "@reins/tensor";

/** The policy's scores, and the mean log-probability over all tokens at each step, as `uniform`. */
export function withUniform(policy: ScoringPolicy, { start: { model } }: TextStageOptions): ScoringPolicy {
  return {
    ...policy,
    score(weights, step) {
      const scored = policy.score(weights, step);
      const params = weights as unknown as GptParams;
      const hidden = model.hidden(params, t.transpose(step.view.observation as t.Tensor));
      const uniform = t.mean(t.logSoftmax(model.logits(params, hidden)), { axis: -1 });
      return { ...scored, extra: { ...scored.extra, uniform: t.transpose(uniform) } };
    },
  };
}

/** A stage whose policy has these scores. */
export const uniformStage = (stage: Stage, options: TextStageOptions): Stage => ({
  ...stage,
  policy: withUniform(stage.policy, options),
});

/** Values of the next step under the uniform policy, 0 after the last one: how much the mean log-probability there has risen. */
export function nextValue(uniform: t.Tensor, before: t.Tensor, alive: t.Tensor): t.Tensor {
  const [time, rows] = uniform.shape;
  const risen = t.where(alive, t.sub(uniform, before), 0);
  return t.concat([t.slice(risen, [[1, time]]), t.zeros([1, rows])], 0);
}

/**
 * Q of a token is how much its log-probability has risen since it was sampled. It is fitted to the advantage plus the value of the next step
 * under the uniform policy; without `looks` to the advantage alone.
 */
export const valuationLoss = (looks: boolean): LossTerm => ({
  needs: { likelihood: "exact", for: "the values of tokens" },
  corrects: true,
  value({ scored, columns, report }) {
    const uniform = (scored as ActionScores).extra?.uniform as t.Tensor;
    const [before, logProb] = [columns.uniform as t.Tensor, columns.logProb as t.Tensor];
    const q = t.sub(scored.logProb, logProb);
    const next = t.stopGradient(nextValue(uniform, before, columns.alive as t.Tensor));
    const target = looks ? t.add(columns.advantage as t.Tensor, next) : (columns.advantage as t.Tensor);
    report("policy/entropy", scored.entropy);
    report("policy/kl", t.sub(t.sub(t.exp(q), 1), q));
    return t.square(t.sub(q, target));
  },
});

/** GRPO's samples and group-relative advantages with this loss. */
export const rover = (looks: boolean) =>
  grpo.with("rover", {
    look: (scored) => ({ uniform: scored.extra?.uniform as t.Tensor, logProb: scored.logProb }),
    loss: valuationLoss(looks),
  });
