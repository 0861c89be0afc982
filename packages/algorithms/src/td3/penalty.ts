import type { Tensor } from "@reins/tensor";
import type { LinearFeatures } from "../q/critics.ts";

/**
 * A critic penalty, [members, rows], on the representation of a state-action pair and, from the target networks,
 * of the next one.
 */
export type RepresentationPenalty = (seen: {
  readonly now: LinearFeatures;
  readonly next: LinearFeatures;
  readonly reward: Tensor;
  readonly discount: Tensor;
}) => Tensor;
