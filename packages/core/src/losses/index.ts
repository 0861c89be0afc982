export { sum } from "../loss.ts";
export { type Aggregation, aggregated } from "./aggregation.ts";
export { type BalancedOptions, balanced, type MovingBound } from "./balanced-clip.ts";
export { byColumn } from "./column-weight.ts";
export { behaviourCloning, distillation, type KlEstimator, referenceKl } from "./imitation.ts";
export { type NegativeAwareOptions, negativeAware } from "./negative-aware.ts";
export {
  clipped,
  dropOutliers,
  klFromBehaviour,
  policyGradient,
  type Ratio,
  type RatioInput,
  unclipped,
} from "./policy-gradient.ts";
export { detachedClip, dualClipped, geometricRatio, sequenceRatio } from "./ratios.ts";
export { teacherRatio } from "./teacher-ratio.ts";
export { entropy, entropyBand, valueError, valueLoss } from "./value.ts";
export { minus, weighted } from "./weight.ts";
