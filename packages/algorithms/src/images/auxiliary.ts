import type { Discrete, EnvSpec } from "@reins/core";
import type { Body } from "@reins/core/policies";
import type { TransitionColumns } from "@reins/core/replay";
import { flatSize } from "@reins/core/spaces";
import * as nn from "@reins/nn";
import {
  add,
  cast,
  concat,
  div,
  iota,
  logSoftmax,
  matmul,
  mean,
  mul,
  oneHot,
  random,
  reshape,
  sqrt,
  square,
  stopGradient,
  sub,
  sum,
  type Tensor,
  type Tree,
  transpose,
} from "@reins/tensor";
import type { Augmentation } from "./augment.ts";

/** An auxiliary task on the body's features, with its own weights and loss. */
export interface ImageAuxiliary {
  init(key: Tensor): Tree;
  /** Scalar loss, the mean over rows. */
  loss(own: Tree, sight: AuxiliaryInputs): Tensor;
}

/** Inputs of an auxiliary task. */
export interface AuxiliaryInputs {
  /** Features of observations from the online network. */
  features(observation: Tree): Tensor;
  /** Features from the target network, without gradients. */
  slow(observation: Tree): Tensor;
  readonly batch: TransitionColumns;
  readonly key: Tensor;
}

/** Weight of the auxiliary loss next to the value loss. */
export interface AuxiliaryOptions {
  readonly weight?: number;
}

/**
 * Contrastive learning, CURL (Laskin et al., 2020): each augmented image must match another augmentation of the
 * same image among all of its minibatch, −log softmax(q W kᵀ) on the diagonal, with keys k from the target
 * network.
 */
export const contrastive =
  (augment: Augmentation, { weight = 1 }: AuxiliaryOptions = {}) =>
  ({ features: width }: Body): ImageAuxiliary => ({
    init: (key) => ({ join: nn.init.orthogonal(1)(key, [width, width]) }),
    loss(own, { features, slow, batch: { observation }, key }) {
      const [one, other] = random.splitKey(random.foldKey(key, "curl"));
      const keys = stopGradient(slow(augment(observation, other)));
      const like = matmul(
        matmul(features(augment(observation, one)), (own as { join: Tensor }).join),
        transpose(keys),
      );
      const [rows] = like.shape;
      const right = sum(mul(logSoftmax(like), oneHot(iota([rows]), rows)), 1);
      return mul(mean(right), -weight);
    },
  });

/** Reconstructs the image from its features: half the squared error of a linear decoder, over all pixels. */
export const reconstruction =
  ({ weight = 1 }: AuxiliaryOptions = {}) =>
  ({ features: width }: Body, { observation: space }: EnvSpec): ImageAuxiliary => {
    const decoder = nn.linear({ inputs: width, outputs: flatSize(space) });
    return {
      init: (key) => decoder.init(key),
      loss(own, { features, batch: { observation } }) {
        const picture = observation as Tensor;
        const painted = decoder.apply(own as nn.LinearParams, features(observation));
        const truth = mul(cast(reshape(picture, [picture.shape[0], -1]), "f32"), 1 / 255);
        return mul(mean(square(sub(painted, truth))), 0.5 * weight);
      },
    };
  };

/**
 * Predicts the features of the next image from the current features and the action: 1 − cos between the prediction
 * and the target network's features, as in BYOL and SPR (Schwarzer et al., 2021), for one step.
 */
export const selfPrediction =
  ({ weight = 1 }: AuxiliaryOptions = {}) =>
  ({ features: width }: Body, { action: space }: EnvSpec): ImageAuxiliary => {
    const { n, start } = space as Discrete;
    const model = nn.mlp({ inputs: width + n, hidden: [width], outputs: width, activation: "relu" });
    return {
      init: (key) => model.init(key),
      loss(own, { features, slow, batch: { observation, action, next } }) {
        const chosen = oneHot(sub(action as Tensor, start), n);
        const forecast = model.apply(own as nn.MlpParams, concat([features(observation), chosen], 1));
        return mul(
          mean(sub(1, sum(mul(direction(forecast), direction(stopGradient(slow(next)))), 1))),
          weight,
        );
      },
    };
  };

/** Rows of unit norm; zero rows stay zero. */
const direction = (x: Tensor): Tensor => div(x, sqrt(add(sum(square(x), 1).reshape([-1, 1]), 1e-8)));
