import type { Grid } from "./grid.ts";

/** The smallest effect that counts on a testbed, and why. */
export interface SmallestEffect {
  readonly size: number;
  readonly because: string;
}

/** A phenomenon that mechanisms presuppose, such as groups with equal rewards. */
export interface Condition {
  readonly about: string;
  /** Its size, from the means of the values of the first baseline as tuned. */
  of(mean: (value: string) => number): number;
}

/** What a testbed has besides the parts of a recipe. */
export interface Bed {
  /** Number of sampled answers behind the first metric; or all problems are evaluated greedily. */
  readonly answers: number | "enumerated";
  /** The smallest relevant effect of each metric. */
  readonly smallest: { readonly [metric: string]: SmallestEffect };
  readonly conditions: { readonly [name: string]: Condition };
  /** The grid over which recipes on it are tuned. */
  readonly rowGrid: Grid;
}

/** Where a mechanism was read: an abstract alone is not enough. */
export interface Citation {
  /** `arXiv:2504.05520`, `doi:…`. */
  readonly paper: string;
  /** The authors' program, as owner/name. */
  readonly code?: string;
  /** The equations or algorithms of the paper that define the mechanism. */
  readonly equations?: string;
}

/** The minimum of a condition without which a mechanism has nothing to do. */
export interface Presupposed {
  readonly least: number;
  readonly because: string;
}

/** The testbed of a recipe. */
export interface OnTestbed {
  /** The testbed's id. */
  readonly id: string;
  readonly bed: Bed;
  /** Names of the testbed's arms, which are baselines of the recipe. */
  readonly arms: readonly string[];
  readonly source: Citation;
  readonly presupposes: { readonly [condition: string]: Presupposed };
}
