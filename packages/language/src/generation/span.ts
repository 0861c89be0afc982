import type { Maker } from "@reins/core";

/** A span of tokens with one author, and data for each token. */
export interface Span {
  readonly by: Maker;
  readonly tokens: readonly number[];
  readonly logProbs?: readonly number[];
  readonly versions?: readonly number[];
  /** The kept set of each token; undefined for those chosen from the whole vocabulary. */
  readonly kept?: readonly (Int32Array | undefined)[];
  /** The sampling temperature of the tokens, where it was not the policy's. */
  readonly temperature?: number;
}
