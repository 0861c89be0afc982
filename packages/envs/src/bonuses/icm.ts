import type { Space, VectorEnv } from "@reins/core";
import { checkKeys } from "@reins/core/errors";
import * as nn from "@reins/nn";
import {
  add,
  concat,
  logSoftmax,
  mean,
  mul,
  neg,
  random,
  square,
  sub,
  sum,
  type Tensor,
} from "@reins/tensor";
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
 * The intrinsic curiosity module (Pathak et al., 2017): features of states from which an inverse model predicts
 * the action, and a bonus for the prediction error of the next state's features. The features ignore what actions
 * do not affect, so noise is not novel forever.
 *
 * @example
 * const env = icm(make("MountainCar-v0", { rows: 8 }), { weight: 0.5 });
 */
export function icm(env: VectorEnv, options: LearnedNoveltyOptions = {}): IntrinsicReward {
  checkKeys("icm", options, learnedNames);
  admitOneReward("icm", env);
  const modelOf = (sizes: SeenSizes) => icmModel(sizes, env.spec.action);
  return new IntrinsicReward(env, new LearnedNovelty("icm", env, modelOf, options), options);
}

/** Weight of the forward model in the loss: the paper's β. */
const forwardShare = 0.2;

/** Weights of {@link icm}. */
type IcmWeights = {
  readonly features: nn.MlpParams;
  readonly inverse: nn.MlpParams;
  readonly forward: nn.MlpParams;
};

/** The networks of {@link icm}. Discrete actions are predicted by log-probability, other actions by squared error. */
export function icmModel({ observation, action, width }: SeenSizes, space: Space): NoveltyModel<IcmWeights> {
  // Features end in a tanh: they can neither shrink to be predictable nor grow without bound, since the inverse
  // model needs them.
  const features = nn.mlp({ inputs: observation, hidden: [width, width] });
  const inverse = nn.mlp({ inputs: 2 * width, hidden: [width], outputs: action, activation: "relu" });
  const forward = nn.mlp({ inputs: width + action, hidden: [width], outputs: width, activation: "relu" });
  const read = (w: IcmWeights, { seen, action: done, next }: SeenSteps) => {
    const [before, after] = [features.apply(w.features, seen), features.apply(w.features, next)];
    const foreseen = forward.apply(w.forward, concat([before, done], -1));
    return { before, after, surprise: mul(0.5, mean(square(sub(foreseen, after)), -1)) };
  };
  const inverseLossOf = (said: Tensor, done: Tensor) =>
    space.kind === "discrete"
      ? neg(sum(mul(logSoftmax(said), done), -1))
      : mul(0.5, mean(square(sub(said, done)), -1));
  return {
    init(key) {
      const [a, b, c] = random.splitKey(key, 3);
      const learned = { features: features.init(a), inverse: inverse.init(b), forward: forward.init(c) };
      return { learned, fixed: {} };
    },
    novelty: (w, _, steps) => read(w, steps).surprise,
    loss(w, _, steps) {
      const { before, after, surprise } = read(w, steps);
      const inverseLoss = inverseLossOf(inverse.apply(w.inverse, concat([before, after], -1)), steps.action);
      return add(mul(1 - forwardShare, mean(inverseLoss)), mul(forwardShare, mean(surprise)));
    },
  };
}
