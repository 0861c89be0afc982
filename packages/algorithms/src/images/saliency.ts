import * as nn from "@reins/nn";
import {
  abs,
  logSoftmax,
  mean,
  mul,
  oneHot,
  random,
  stopGradient,
  sum,
  type Tensor,
  type Tree,
  valueAndGradient,
} from "@reins/tensor";
import type { AuxiliaryTraining } from "./auxiliary-training.ts";
import { type DecorrelationOptions, decorrelationWeights, standardised } from "./decorrelation.ts";

/** Variations of observations, and how samples are weighted. */
export interface SaliencyOptions extends DecorrelationOptions {
  readonly variations: number;
  /** Index of the variation that each observation comes from, [rows]. */
  readonly of: (observation: Tree) => Tensor;
  /** Widths of the classifier's hidden layers. */
  readonly hidden?: readonly number[];
}

/**
 * Saliency-guided decorrelation (Huang et al., 2023): a classifier predicts from the features which variation an
 * observation comes from. The saliency of a feature, the gradient of that prediction, measures how much the
 * feature changes across variations; samples are weighted so that such features become independent of all others.
 */
export function saliencyGuided({
  variations,
  of,
  hidden = [32],
  ...options
}: SaliencyOptions): AuxiliaryTraining {
  const classifierFor = (inputs: number) =>
    nn.mlp({ inputs, hidden, outputs: variations, activation: "relu" });
  const answers = (own: Tree, features: Tensor) =>
    classifierFor(features.shape[1]).apply(own as nn.MlpParams, features);
  return {
    auxiliary: ({ features: inputs }) => ({
      init: (key) => classifierFor(inputs).init(key),
      loss(own, { features, batch: { observation } }) {
        // The classifier's gradient does not reach the features.
        const logits = answers(own, stopGradient(standardised(features(observation))));
        return mul(mean(sum(mul(logSoftmax(logits), oneHot(of(observation), variations)), 1)), -1);
      },
    }),
    weigh(features, key, own, observation) {
      const right = (z: Tensor) => sum(mul(answers(own, z), oneHot(of(observation), variations)));
      const { gradient } = valueAndGradient(right)(standardised(features));
      const salient = mean(abs(gradient), 0);
      return decorrelationWeights(features, salient, random.foldKey(key, "sgfd"), options);
    },
  };
}
