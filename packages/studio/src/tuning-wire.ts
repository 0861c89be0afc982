/** Types of the tuning routes. NaN and infinities are null. */

/** A dimension of the search space: a range of numbers, or choices. */
export type TuningDimension =
  | {
      readonly name: string;
      readonly low: number;
      readonly high: number;
      /** The scale: linear, logarithmic, or logarithmic in the distance to 1. */
      readonly scale: "linear" | "log" | "towards-one";
    }
  | { readonly name: string; readonly choices: readonly string[] };

/** Settings by name: numbers, and anything else as text. */
export type TuningSettings = Readonly<Record<string, number | string>>;

/** The result of a trial after some steps. */
export interface TuningResult {
  readonly steps: number;
  readonly settings: TuningSettings;
  /** One score per seed; null if the training failed. */
  readonly scores: readonly (number | null)[];
  /** The mean over all seeds; null if some are missing or failed. */
  readonly score: number | null;
  /** Why a training failed. */
  readonly failed?: string;
  /** The command that trains with these settings. */
  readonly command?: string;
}

/** A trial of a search, with its results in the order of their steps. */
export interface TuningTrial {
  readonly trial: number;
  readonly results: readonly TuningResult[];
}

/** A search in the list. */
export interface TuningLine {
  readonly name: string;
  readonly algorithm: string;
  readonly env: string;
  /** The search method: `random`, `asha`, `pbt` or `gp`. */
  readonly method: string;
  /** Steps of a full training. */
  readonly steps: number;
  /** Number of trials, and of those with a result. */
  readonly trials: number;
  readonly tried: number;
  readonly best: number | null;
  /** Whether it has finished and tested its best settings. */
  readonly finished: boolean;
}

/** Scores on held-out seeds, with the 95% interval of their mean. */
export interface TuningTest {
  readonly mean: number | null;
  readonly interval: readonly [number | null, number | null];
  readonly scores: readonly (number | null)[];
}

/** A search with all its trials. */
export interface TuningDetail extends TuningLine {
  readonly space: readonly TuningDimension[];
  readonly seeds: readonly number[];
  readonly results: readonly TuningTrial[];
  /** The best trial. */
  readonly bestTrial?: number;
  /** The command that trains with the best settings. */
  readonly command?: string;
  /** The best settings and the defaults, on held-out seeds. */
  readonly test?: { readonly best: TuningTest; readonly plain: TuningTest };
  /** The share of the variance between trials that each setting explains, from 0 to 1. */
  readonly importance?: Readonly<Record<string, number | null>>;
}

/** The searches of a folder. */
export interface TuningListing {
  readonly root: string;
  readonly tunings: readonly TuningLine[];
}
