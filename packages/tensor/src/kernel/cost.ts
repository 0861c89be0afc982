/**
 * What a back end takes for its work, in seconds and rates per second: of one thread of a processor, or of a whole GPU. Estimates, within
 * a factor of two or three: they decide the number of threads, and whether a function is worth a GPU.
 */
export interface CostModel {
  /** Seconds until a step begins. */
  readonly step: number;
  /** Elementwise and other operations. */
  readonly operations: number;
  /** Operations of matrix products. */
  readonly products: number;
  /** Bytes moved between memory and registers. */
  readonly bytes: number;
  /** Bytes copied between the host and the device; absent where programs work in the host's memory. */
  readonly copied?: number;
  /** Maximum number of sums per row for which two rows are computed together: where sums fill the registers, one row is faster. */
  readonly sumsTogether: number;
}

/** One thread of a processor. Where it is exceeded, plans err on the side of one thread. */
export const processor = {
  step: 2e-8,
  operations: 5e9,
  products: 3e10,
  bytes: 1.5e10,
} satisfies Partial<CostModel>;
