import type { Tree } from "@reins/tensor";
import type { Problem } from "../tasks/family.ts";
import type { Played } from "./cast.ts";
import type { Frozen } from "./frozen.ts";

/** How a problem is played. */
export interface PlayHow {
  readonly seed: number;
  /** Without chance. */
  readonly greedy?: boolean;
}

/** What runs conversations about problems with a model, many at a time. */
export interface Harness {
  /** A conversation, or several that begin alike, where the stage has them forked. */
  play(problem: Problem, how: PlayHow): Promise<readonly Played[]>;
  /** Goes on with other weights. */
  use(weights: Tree): void;
  /** Plays that begin now share nothing with those before. */
  forget(): void;
}

/** Weights that are talked to. */
export interface ServedWeights {
  readonly weights: Tree;
  readonly version?: () => number;
  /** Notes what sampling kept, to learn from. */
  readonly record?: boolean;
  /** By which roles speak that do not learn; those of the start if absent. */
  readonly frozen?: Frozen;
}
