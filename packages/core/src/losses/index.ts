export { minus, sum, weighted } from "../loss.ts";
export { type Aggregation, aggregated } from "./aggregation.ts";
export { type BalancedOptions, balanced, type MovingBound } from "./balanced.ts";
export { byColumn } from "./by-column.ts";
export { cloning, divergence, type KlEstimator } from "./imitation.ts";
export { clipped, dropping, movement, policyGradient, type Ratio, unclipped } from "./policy-gradient.ts";
export { dualClipped, geometricRatio, heldWeight, sequenceRatio } from "./ratios.ts";
export { withTaught } from "./taught.ts";
export { entropy, valueError } from "./value.ts";
