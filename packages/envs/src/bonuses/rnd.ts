import type { VectorEnv } from "@reins/core";
import { checkKeys } from "@reins/core/errors";
import * as nn from "@reins/nn";
import { mean, random, square, sub, type Tensor } from "@reins/tensor";
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
 * Random network distillation (Burda et al., 2019): one network is random and fixed, another learns to predict its
 * outputs on visited states. A large error means a rarely visited state. Both rewards share one critic; the paper
 * has one for each.
 *
 * @example
 * const env = rnd(make("MountainCar-v0", { rows: 8 }), { weight: 0.5 });
 */
export function rnd(env: VectorEnv, options: LearnedNoveltyOptions = {}): IntrinsicReward {
  checkKeys("rnd", options, learnedNames);
  admitOneReward("rnd", env);
  return new IntrinsicReward(env, new LearnedNovelty("rnd", env, rndModel, options), options);
}

/** The networks of {@link rnd}. The predictor has one layer more than the target, as in the paper. */
export function rndModel({ observation, width }: SeenSizes): NoveltyModel<nn.MlpParams, nn.MlpParams> {
  const sizes = { inputs: observation, outputs: width, activation: "relu" } as const;
  const target = nn.mlp({ ...sizes, hidden: [width] });
  const predictor = nn.mlp({ ...sizes, hidden: [width, width] });
  const error = (learned: nn.MlpParams, fixed: nn.MlpParams, { next }: SeenSteps): Tensor =>
    mean(square(sub(predictor.apply(learned, next), target.apply(fixed, next))), -1);
  return {
    init(key) {
      const [a, b] = random.splitKey(key);
      return { learned: predictor.init(a), fixed: target.init(b) };
    },
    novelty: error,
    loss: (learned, fixed, steps) => mean(error(learned, fixed, steps)),
  };
}
