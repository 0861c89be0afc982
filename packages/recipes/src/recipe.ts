import type { WarmStart } from "./book/warm.ts";
import type { Claim } from "./claims/claim.ts";
import type { Grid, Limits, Settings } from "./grid.ts";
import type { Metric, Outcome } from "./outcome.ts";

/** What one run of one side gets. All sides get the same ones. */
export interface Trial<G extends Grid = Grid> {
  readonly seed: number;
  /** Which of a suite it is; the seed in words where there is no suite. */
  readonly replicate: string;
  readonly settings: Settings<G>;
  /** How much may be used, in the budget's unit. */
  readonly budget: number;
  /** Whether this is a trial of a few seconds that only shows that everything works. */
  readonly quick: boolean;
  /** What a warm start gives, made once for all sides and recipes that ask for the same. */
  warm<T>(start: WarmStart<T>): Promise<T>;
}

/** How much a run may use: `quick` is for trials of a few seconds. */
export interface Budget {
  readonly full: number;
  readonly quick: number;
}

/** One of the things that are compared. */
export interface Side<G extends Grid = Grid> {
  readonly name: string;
  /** What it is tuned over, if not the recipe's grid; with as many points as that of every other side. */
  readonly grid?: Grid;
  /** What it may use, where the claim is about data or compute; otherwise all sides have the recipe's budget. */
  readonly budget?: Budget;
  /**
   * Plain data that determines a run besides settings, seed, budget and code. Sides of several recipes with the same content are run once.
   */
  readonly content?: unknown;
  run(trial: Trial<G>): Outcome | Promise<Outcome>;
}

/** A fixed list of what a claim is about: environments, tasks, datasets. Each is run with `seeds` seeds, whose mean counts. */
export interface Suite {
  readonly what: string;
  readonly names: readonly string[];
  readonly seeds: number;
}

/** The result in words: numbers with their intervals, pooled over the blocks. */
export interface Facts {
  /** The mean of any value of a side. */
  mean(side: string, value: string): string;
  /** The effect of a claim, the headline by default, with its interval. */
  effect(claim?: number): string;
  /** How many replicates there were. */
  readonly count: number;
}

/** A published system beside its baselines. */
export interface Recipe<G extends Grid = Grid> {
  readonly kind: "recipe";
  /** As in `systems.jsonl`; also the name of the file. */
  readonly id: string;
  /** The paper's title. */
  readonly paper: string;
  /** Where it is: `arXiv:2010.03152`, `doi:…`. */
  readonly source: string;
  /** What the system does and what is claimed for it, in our own words. */
  readonly about: string;
  readonly system: Side<G>;
  /** What the paper's readers would use instead, each tuned as the system is. None where nothing is compared. */
  readonly baselines: readonly Side<G>[];
  /** Other sides, run with the system's settings: they explain a verdict. Those that no claim names are run for five replicates of a block. */
  readonly ablations?: readonly Side<G>[];
  /** What is measured, by name. The first is what sides are tuned on, unless `tuneOn` names another. */
  readonly metrics: { readonly [name: string]: Metric };
  readonly tuneOn?: string;
  /** What is claimed. The first is the headline. */
  readonly claims: readonly [Claim, ...Claim[]];
  /** What sides are tuned over, with seeds from 50 to 99. Absent where there is nothing to tune. */
  readonly grid?: G;
  /** How far settings can go, where a grid may not simply go on: a share, a discount. */
  readonly limits?: Limits;
  /** Seeds for each point of the grid (default 3); the best points get more. */
  readonly tuningSeeds?: number;
  /** What the claim generalises over: seeds unless said, in a word (`search`, `start`), or a suite. */
  readonly replicates?: string | Suite;
  /** Nothing is random: one run is all there is. */
  readonly exact?: boolean;
  readonly budget: Budget & { readonly unit: string };
  /** Most minutes of one core that a block of evaluation runs may take (default 20); it caps the number of replicates. */
  readonly minutes?: number;
  /** What here stands for what in the paper, most important first. */
  readonly deviations: readonly string[];
  /** Forms that were tried on seeds below 50 and what they gave: they count in the table. */
  readonly tried?: readonly string[];
  /** What was found, in a sentence or two with its numbers filled in. What speaks against it comes first. It stands last in the file. */
  readonly finding?: (facts: Facts) => string;
}

/** A row that describes nothing to run, such as a survey: what covers it. */
export interface Mapped {
  readonly kind: "mapped";
  readonly id: string;
  readonly paper: string;
  readonly about: string;
  /** Recipes and parts of the packages. */
  readonly covers: readonly string[];
}

/** An entry of the recipe book. */
export type Entry = Recipe | Mapped;

/** All sides: the system, its baselines, then ablations. */
export const sidesOf = (r: Recipe): readonly Side[] => [r.system, ...r.baselines, ...(r.ablations ?? [])];

/** Those that are tuned. */
export const tunedSides = (r: Recipe): readonly Side[] => [r.system, ...r.baselines];

/** Whether the clock on the wall counts: then nothing else may run beside it. */
export const isTimed = ({ metrics }: Recipe): boolean =>
  Object.values(metrics).some((m) => m.clock === "wall");
