import { type EnvSpec, fail } from "@reins/core";
import type { Body, BodyLayer } from "@reins/core/policies";
import { random, type Tensor, type Tree } from "@reins/tensor";
import type { ReplayLearnerParts } from "../q/replay-learner.ts";
import type { ImageAuxiliary } from "./auxiliary.ts";

/** Auxiliary training of a body's features, and sample weights computed from them. */
export interface AuxiliaryTraining {
  /** An auxiliary task for the features. */
  readonly auxiliary?: (body: Body, spec: EnvSpec) => ImageAuxiliary;
  /**
   * Sample weights of a minibatch, from the features of its observations, the auxiliary task's weights and the
   * observations.
   */
  readonly weigh?: (features: Tensor, key: Tensor, own: Tree, observation: Tree) => Tensor;
}

/** The weights of a network on a body, and of an auxiliary task. */
type Weights = { readonly body: Tree; readonly layer: Tree; readonly auxiliary: Tree };

/** The learner parts that depend on how features are trained. */
export function teaching(
  name: string,
  { auxiliary: task, weigh }: AuxiliaryTraining,
  { body, network, spec }: { readonly body: Body; readonly network: BodyLayer; readonly spec: EnvSpec },
): Pick<ReplayLearnerParts, "init" | "beside" | "weigh"> {
  if (!task && !weigh) return { init: network.init };
  if (!body.init)
    fail(
      name,
      "its body has no trainable weights, so an auxiliary task has nothing to train. Use an encoder, such as the one for images.",
    );
  const featuresBy = (weights: Tree) => (observation: Tree) =>
    body.apply((weights as Weights).body, observation, 1);
  const auxiliary = task?.(body, spec);
  return {
    init: auxiliary
      ? (key) => ({
          ...(network.init(key) as Weights),
          auxiliary: auxiliary.init(random.foldKey(key, "assi")),
        })
      : network.init,
    beside:
      auxiliary &&
      ((weights, { target, batch, key }) =>
        auxiliary.loss((weights as Weights).auxiliary, {
          features: featuresBy(weights),
          slow: featuresBy(target),
          batch,
          key,
        })),
    weigh:
      weigh &&
      ((weights, { observation }, key) =>
        weigh(featuresBy(weights)(observation), key, (weights as Weights).auxiliary, observation)),
  };
}
