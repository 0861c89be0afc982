/** `@reins/core/policies`: policies and networks: actor-critics, recurrent and image networks, encoders and action heads. */
export { type Body, type BodyInput, type BodyOptions, learningContext, type NetworkMaker } from "../body.ts";
export { type ActorCriticOptions, type ActorCriticWeights, actorCritic } from "../policies/actor-critic.ts";
export { type BodyLayer, bodyLayer } from "../policies/body-layer.ts";
export { type ChainedWeights, chained } from "../policies/chain.ts";
export { rangeOf, stretchTo } from "../policies/continuous.ts";
export { type ConvolutionalOptions, convolutional } from "../policies/convolutional.ts";
export { bodyFor } from "../policies/custom-body.ts";
export { encoderFor } from "../policies/encoder.ts";
export {
  type ActVariant,
  type ExportedPolicy,
  exportPolicy,
  importPolicy,
} from "../policies/exported-policy.ts";
export { framesNetwork } from "../policies/frames-network.ts";
export type { Head, HeadOptions } from "../policies/head.ts";
export { headFor } from "../policies/heads.ts";
export { type ReturnScale, updateReturnScale } from "../policies/pop-art.ts";
export {
  type RecurrentActorCriticOptions,
  type RecurrentWeights,
  recurrentActorCritic,
} from "../policies/recurrent.ts";
export { withReference } from "../policies/reference.ts";
export { type SetNetworkOptions, setNetwork } from "../policies/set-network.ts";
export { teams } from "../policies/teams.ts";
export { type ValueForm, valueBins } from "../policies/value-form.ts";
export {
  failWithoutLikelihood,
  isScoringPolicy,
  requireActingPolicy,
  withActionTransform,
} from "../policy.ts";
export { PolicyRunner } from "../policy-runner.ts";
