import type { VectorEnv } from "@reins/core";
import { checkKeys } from "@reins/core/errors";
import * as nn from "@reins/nn";
import { concat, mean, square, sub, type Tensor, variance } from "@reins/tensor";
import { admitOneReward, IntrinsicReward } from "./intrinsic-reward.ts";
import { LearnedNovelty } from "./learned-novelty.ts";
import {
  type LearnedNoveltyOptions,
  learnedNames,
  type NoveltyModel,
  type SeenSizes,
  type SeenSteps,
} from "./novelty-model.ts";

/**
 * Exploration by disagreement (Pathak et al., 2019): five models predict the next observation, and the bonus is
 * the variance of their predictions. On noise they agree on its mean; on unseen states they disagree.
 *
 * @example
 * const env = disagreement(make("MountainCar-v0", { rows: 8 }), { weight: 0.5 });
 */
export function disagreement(env: VectorEnv, options: LearnedNoveltyOptions = {}): IntrinsicReward {
  checkKeys("disagreement", options, learnedNames);
  admitOneReward("disagreement", env);
  const novelty = new LearnedNovelty("disagreement", env, disagreementModel, options);
  return new IntrinsicReward(env, novelty, options);
}

/** As many as in the paper. */
const members = 5;

/** The models of {@link disagreement}, which differ in their initial weights. */
export function disagreementModel({ observation, action, width }: SeenSizes): NoveltyModel<nn.MlpParams> {
  const one = nn.mlp({
    inputs: observation + action,
    hidden: [width, width],
    outputs: observation,
    activation: "relu",
  });
  const models = nn.ensemble(one, { members });
  /** [members, steps, numbers] */
  const foreseen = (w: nn.MlpParams, { seen, action: done }: SeenSteps): Tensor =>
    models.apply(w, concat([seen, done], -1));
  return {
    init: (key) => ({ learned: models.init(key), fixed: {} }),
    novelty: (w, _, steps) => mean(variance(foreseen(w, steps), 0), -1),
    loss: (w, _, steps) => mean(square(sub(foreseen(w, steps), steps.next))),
  };
}
