import type { Bed, Citation, Presupposed } from "./bed.ts";
import type { Claim, Difference, NoWorse } from "./claims/claim.ts";
import type { Grid, GridLimits } from "./grid.ts";
import type { Metric } from "./outcome.ts";
import type { Arm, Facts, Recipe } from "./recipe.ts";

/** Settings of {@link testbed}. */
export interface TestbedOptions extends Omit<Bed, "rowGrid"> {
  /** Also the name of the file, in `recipes/testbeds`. */
  readonly id: string;
  readonly title: string;
  /** The task, the model, and the papers that it stands for. */
  readonly about: string;
  /** What readers would use without the systems: each is tuned, and every recipe on the testbed is compared with all of them. */
  readonly baselines: readonly [Arm, Arm, ...Arm[]];
  /** The grid of the baselines, with two axes or more. */
  readonly grid: Grid;
  /** The grid of the recipes (default: `grid`). */
  readonly rowGrid?: Grid;
  readonly limits?: GridLimits;
  readonly metrics: { readonly [name: string]: Metric };
  readonly budget: Recipe["budget"];
  /** How it differs from the tasks that it stands for. */
  readonly deviations: readonly string[];
}

/** A claim whose size and reason are the testbed's, unless it has its own. */
export type RowClaim =
  | (Partial<Pick<Difference, "smallest" | "because">> & Omit<Difference, "smallest" | "because">)
  | (Partial<Pick<NoWorse, "margin" | "because">> & Omit<NoWorse, "margin" | "because">)
  | Claim;

/** A recipe on a testbed. */
export interface RowOptions {
  readonly id: string;
  readonly paper: string;
  readonly source: Citation;
  /** What the system does and what is claimed for it. */
  readonly about: string;
  readonly system: Arm;
  /** The system with its own mechanism switched off. */
  readonly ablation: Arm;
  /** Further baselines, tuned like the system. */
  readonly baselines?: readonly Arm[];
  /** The conditions of the testbed that the mechanism needs, or `"nothing"`. */
  readonly presupposes: { readonly [condition: string]: Presupposed } | "nothing";
  /** One or two claims; a name is the claim of a difference in that metric. */
  readonly claims: readonly [RowClaim | string, (RowClaim | string)?];
  /** The grid of the system (default: the testbed's `rowGrid`). */
  readonly grid?: Grid;
  readonly limits?: GridLimits;
  readonly deviations: readonly string[];
  readonly tried?: readonly string[];
  readonly finding?: (facts: Facts) => string;
}
