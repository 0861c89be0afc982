import type { Gpt, GptParams } from "@reins/nn";
import type { Sampling } from "./sampling.ts";

/** Settings of a `TextGenerator`. */
export interface GeneratorOptions {
  readonly model: Gpt;
  /** Read at every step: change them in place, or replace them with `TextGenerator.use`. */
  readonly params: GptParams;
  readonly vocabulary: number;
  readonly context: number;
  /** The token that ends a text. */
  readonly end: number;
  /** Further tokens that end a text: models from a folder may have several (default: none). */
  readonly ends?: readonly number[];
  readonly sampling?: Sampling;
  /**
   * Records the kept set of each token, the tokens that sampling could choose from: needed to train on restricted or
   * constrained text.
   */
  readonly record?: boolean;
  /** Texts generated at the same time (default 64). More use the processor better and take more memory. */
  readonly rows?: number;
  /** Changes whenever the weights do. Texts of the same version share common prefixes, also between calls. */
  readonly version?: () => number;
}
