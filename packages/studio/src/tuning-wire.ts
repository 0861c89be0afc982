/** What the server and the page say to each other about searches for settings. Numbers that JSON lacks are null. */

/** A setting that is searched over: numbers in a range, or one of some values. */
export type TuningDimension =
  | {
      readonly name: string;
      readonly low: number;
      readonly high: number;
      /** How far apart numbers are: by difference, by ratio, or by the ratio of their distances to 1. */
      readonly scale: "linear" | "log" | "towards-one";
    }
  | { readonly name: string; readonly choices: readonly string[] };

/** Settings by name: numbers, and anything else as text. */
export type TuningSettings = Readonly<Record<string, number | string>>;

/** A trial, measured after some steps. */
export interface TuningResult {
  readonly steps: number;
  readonly settings: TuningSettings;
  /** One score a seed; null where the training failed. */
  readonly scores: readonly (number | null)[];
  /** The mean over all seeds; null where some are missing or failed. */
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
  /** How it searches: `random`, `asha`, `pbt` or `gp`. */
  readonly method: string;
  /** Steps of a whole training. */
  readonly steps: number;
  /** Trials that it takes, and those that have a result. */
  readonly trials: number;
  readonly tried: number;
  readonly best: number | null;
  /** Whether it has ended and its best settings were tested. */
  readonly finished: boolean;
}

/** Scores of settings on seeds that the search did not see, with the 95% interval of their mean. */
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
  /** The trial whose settings are best. */
  readonly bestTrial?: number;
  /** The command that trains with the best settings. */
  readonly command?: string;
  /** The best settings beside those without tuning, on seeds that the search did not see. */
  readonly test?: { readonly best: TuningTest; readonly plain: TuningTest };
  /** The share of the differences between trials that each setting explains, from 0 to 1. */
  readonly importance?: Readonly<Record<string, number | null>>;
}

/** The searches of a folder. */
export interface TuningListing {
  readonly root: string;
  readonly tunings: readonly TuningLine[];
}
