import type { Parts } from "@reins/core";
import type { Generator } from "@reins/core/random";

/** Guides a search in addition to the returns of its members: a model of policy values that proposes a direction. */
export interface SearchGuide {
  /** Fraction of a step taken from the guide, from 0 to 1. */
  readonly share: number;
  /** Records vectors and their returns. */
  told(members: readonly Float64Array[], returns: Float64Array): void;
  /**
   * A direction from a centre with this standard deviation, in the units of the search gradient: returns of unit
   * deviation per unit of noise.
   */
  direction(centre: Float64Array, sigma: number): Float64Array;
  /** State for checkpoints. */
  readonly parts: Parts;
}

/** Makes a guide for vectors of a size. */
export type SearchGuideMaker = (size: number, random: Generator) => SearchGuide;
