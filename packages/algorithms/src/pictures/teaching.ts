import { type Body, type BodyLayer, type EnvSpec, fail } from "@reins/core";
import { random, type Tensor, type Tree } from "@reins/tensor";
import type { ReplayLearnerParts } from "../q/replay-learner.ts";
import type { Auxiliary } from "./auxiliary.ts";

/** What a method may teach the features of its body beside values, and ask of them. */
export interface Teaching {
  /** A second task for the features. */
  readonly auxiliary?: (body: Body, spec: EnvSpec) => Auxiliary;
  /** How much each entry of a minibatch counts, by the features of its observations, the second task's own weights and the observations. */
  readonly weigh?: (features: Tensor, key: Tensor, own: Tree, observation: Tree) => Tensor;
}

/** The weights of a network on a body, and those of a second task beside them. */
type Weights = { readonly body: Tree; readonly layer: Tree; readonly auxiliary: Tree };

/** What of a learner's parts follows from how the features of its network are taught. */
export function teaching(
  name: string,
  { auxiliary: task, weigh }: Teaching,
  { body, network, spec }: { readonly body: Body; readonly network: BodyLayer; readonly spec: EnvSpec },
): Pick<ReplayLearnerParts, "init" | "beside" | "weigh"> {
  if (!task && !weigh) return { init: network.init };
  if (!body.init)
    fail(
      name,
      "its body learns nothing, so that features cannot be taught. Give it an encoder, as pictures have.",
    );
  const featuresBy = (weights: Tree) => (observation: Tree) =>
    body.apply((weights as Weights).body, observation, 1);
  const auxiliary = task?.(body, spec);
  return {
    init: auxiliary
      ? (key) => ({
          ...(network.init(key) as Weights),
          auxiliary: auxiliary.init(random.foldKey(key, aside)),
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

/** Tells what a second task draws from what the network is drawn from. */
const aside = 0x61737369;
