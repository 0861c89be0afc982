import type { Generator, Parts } from "@reins/core";

/** What a search is told to do beside following what its members earned: a model of what policies are worth that points somewhere. */
export interface Guide {
  /** How much of a step is the guide's, from 0 to 1. */
  readonly share: number;
  /** Some vectors, and what they earned. */
  told(members: readonly Float64Array[], returns: Float64Array): void;
  /** Where to go from a centre whose surroundings reach so far: in the units of {@link Guide.share}'s other part, returns of unit deviation a unit of noise. */
  direction(centre: Float64Array, sigma: number): Float64Array;
  /** What lasts from generation to generation. */
  readonly parts: Parts;
}

/** Makes a guide for vectors of some size. */
export type GuideMaker = (size: number, random: Generator) => Guide;
