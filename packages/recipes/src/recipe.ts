import type { Bed, OnTestbed } from "./bed.ts";
import type { WarmStart } from "./book/warm.ts";
import type { Claim } from "./claims/claim.ts";
import type { Coverage } from "./coverage.ts";
import type { Grid, GridLimits, Settings } from "./grid.ts";
import type { Metric, Outcome } from "./outcome.ts";

/** Input of one run of one arm, equal for all arms. */
export interface Trial<G extends Grid = Grid> {
  readonly seed: number;
  /** The member of a suite; the seed as text without a suite. */
  readonly replicate: string;
  readonly settings: Settings<G>;
  /** The budget, in its unit. */
  readonly budget: number;
  /** Whether this is a trial of a few seconds that only checks that everything works. */
  readonly quick: boolean;
  /** The result of a warm start, made once for all arms and recipes with the same one. */
  warm<T>(start: WarmStart<T>): Promise<T>;
}

/** The budget of a run: `quick` is for trials of a few seconds. */
export interface Budget {
  readonly full: number;
  readonly quick: number;
}

/** One arm of a comparison. */
export interface Arm<G extends Grid = Grid> {
  readonly name: string;
  /** Its own grid (default: the recipe's), with as many points as that of every other arm. */
  readonly grid?: Grid;
  /** Its own budget, if the claim is about data or compute (default: the recipe's). */
  readonly budget?: Budget;
  /**
   * Plain data that determines a run besides settings, seed, budget and code. Arms of several recipes with the same content run once.
   */
  readonly content?: unknown;
  run(trial: Trial<G>): Outcome | Promise<Outcome>;
}

/** A fixed list that a claim is about: environments, tasks, datasets. Each runs with `seeds` seeds, whose mean counts. */
export interface Suite {
  readonly what: string;
  readonly names: readonly string[];
  readonly seeds: number;
}

/** Numbers for a finding, as text with their intervals, pooled over the blocks. */
export interface Facts {
  /** The mean of any value of an arm. */
  mean(side: string, value: string): string;
  /** The effect of a claim with its interval (default: the headline). */
  effect(claim?: number): string;
  /** Number of replicates. */
  readonly count: number;
}

/** A published system and its baselines. */
export interface Recipe<G extends Grid = Grid> {
  readonly kind: "recipe";
  /** As in `systems.jsonl`; also the name of the file. */
  readonly id: string;
  /** The paper's title. */
  readonly paper: string;
  /** Its identifier: `arXiv:2010.03152`, `doi:…`. */
  readonly source: string;
  /** What the system does and what is claimed for it, in our own words. */
  readonly about: string;
  readonly system: Arm<G>;
  /** What the paper's readers would use instead, each tuned like the system. Empty if there is no comparison. */
  readonly baselines: readonly Arm<G>[];
  /** What makes it a testbed, if it is one. */
  readonly bed?: Bed;
  /** The testbed that it is measured on. */
  readonly on?: OnTestbed;
  /** Other arms with the system's settings, to explain a verdict. Arms that no claim names run for five replicates of a block. */
  readonly ablations?: readonly Arm<G>[];
  /** The metrics, by name. Arms are tuned on the first, unless `tuneOn` names another. */
  readonly metrics: { readonly [name: string]: Metric };
  readonly tuneOn?: string;
  /** The claims. The first is the headline. */
  readonly claims: readonly [Claim, ...Claim[]];
  /** The grid for tuning, with seeds from 50 to 99. Absent if there is nothing to tune. */
  readonly grid?: G;
  /** Valid ranges of settings whose grid cannot be extended freely, such as a share or a discount factor. */
  readonly limits?: GridLimits;
  /** Seeds per point of the grid (default 3); the best points get more. */
  readonly tuningSeeds?: number;
  /** What the claim generalises over: seeds by default, another unit by name (`search`, `start`), or a suite. */
  readonly replicates?: string | Suite;
  /** Nothing is random, so there is a single run. */
  readonly exact?: boolean;
  readonly budget: Budget & { readonly unit: string };
  /** Maximum minutes of one core for a block of evaluation runs (default 20); it caps the number of replicates. */
  readonly minutes?: number;
  /** How the recipe differs from the paper, most important first. */
  readonly deviations: readonly string[];
  /** Forms that were tried on seeds below 50 and their results: they count in the table. */
  readonly tried?: readonly string[];
  /** The finding: first the verdict in words, then what speaks against it, then numbers. The last field in the file. */
  readonly finding?: (facts: Facts) => string;
}

/** An entry without a run, such as a survey: what covers it. */
export interface Mapped {
  readonly kind: "mapped";
  readonly id: string;
  readonly paper: string;
  /** Its identifier, as in {@link Recipe.source}. */
  readonly source: string;
  readonly about: string;
  readonly covers: Coverage;
}

/** An entry of the recipe book. */
export type Entry = Recipe | Mapped;

/** All arms: the system, its baselines, then ablations. */
export const armsOf = (r: Recipe): readonly Arm[] => [r.system, ...r.baselines, ...(r.ablations ?? [])];

/** The arms that are tuned. */
export const tunedArms = (r: Recipe): readonly Arm[] => [r.system, ...r.baselines];

/** Whether wall-clock time is measured: then nothing else may run at the same time. */
export const isTimed = ({ metrics }: Recipe): boolean =>
  Object.values(metrics).some((m) => m.clock === "wall");
