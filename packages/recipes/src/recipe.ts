import { fail } from "@reins/core";
import type { WarmStart } from "./book/warm.ts";
import type { Claim } from "./claim.ts";
import type { Metric, Outcome } from "./outcome.ts";

/** A setting's value in a grid. */
export type Choice = number | string | boolean;

/** For each setting the values that are tried for both sides. */
export interface Grid {
  readonly [setting: string]: readonly Choice[];
}

/** One point of a grid. */
export type Settings<G extends Grid = Grid> = { readonly [K in keyof G]: G[K][number] };

/** What one run of one side gets. Both sides get the same ones. */
export interface Trial<G extends Grid = Grid> {
  readonly seed: number;
  readonly settings: Settings<G>;
  /** How much may be used, in the budget's unit. */
  readonly budget: number;
  /** Whether this is a trial of a few seconds that only shows that everything works. */
  readonly quick: boolean;
  /** What a warm start gives, made once for both sides, all seeds and all recipes that ask for the same. */
  warm<T>(start: WarmStart<T>): Promise<T>;
}

/** One of the things that are compared. */
export interface Side<G extends Grid = Grid> {
  readonly name: string;
  run(trial: Trial<G>): Outcome | Promise<Outcome>;
}

/** A published system beside its baseline. */
export interface Recipe<G extends Grid = Grid> {
  readonly kind: "recipe";
  /** As in `systems.jsonl`; also the name of the file. */
  readonly id: string;
  /** The paper's title. */
  readonly paper: string;
  /** What the system does and what is claimed for it, in our own words. */
  readonly about: string;
  readonly baseline: Side<G>;
  readonly system: Side<G>;
  /** Other sides, run with the system's settings: they explain a verdict. */
  readonly ablations?: readonly Side<G>[];
  readonly metric: Metric;
  readonly claim: Claim;
  /** Both sides are tuned on this, with seeds below 100. Empty where there is nothing to tune. */
  readonly grid: G;
  /** Seeds for each point of the grid (default 3). */
  readonly tuningSeeds?: number;
  /** Evaluation seeds (default 10, never fewer), from 100 on. */
  readonly seeds?: number;
  /** How much each run may use; `quick` is for trials of a few seconds. */
  readonly budget: { readonly unit: string; readonly full: number; readonly quick: number };
  /** How the interval is found: Student's t, or the bias-corrected bootstrap for skewed effects (default t). */
  readonly interval?: "t" | "bca";
  /** What here stands for what in the paper, most important first. */
  readonly deviations: readonly string[];
  /** What an ablation or a diagnostic found; a verdict that is not on the claimed side needs one. */
  readonly reason?: string;
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

/** A recipe, checked. */
export function recipe<const G extends Grid>(r: Omit<Recipe<G>, "kind">): Recipe {
  const where = `recipe ${r.id}`;
  for (const [name, values] of Object.entries(r.grid))
    if (values.length === 0) fail(where, `the grid has no value for ${name}. Give at least one.`);
  if (r.seeds !== undefined && r.seeds < 10)
    fail(where, `${r.seeds} evaluation seeds are too few. Take at least 10.`);
  if (r.deviations.length === 0)
    fail(where, "it has no deviations. Say what here stands for what in the paper.");
  if (!Number.isFinite(r.metric.worst)) fail(where, "metric.worst must be a finite number.");
  if (!(r.budget.full > 0 && r.budget.quick > 0)) fail(where, "budgets must be above 0.");
  const names = [r.baseline, r.system, ...(r.ablations ?? [])].map((s) => s.name);
  if (new Set(names).size < names.length)
    fail(where, `sides must have names of their own, not ${names.join(", ")}.`);
  const whole: Recipe<G> = { kind: "recipe", ...r };
  return whole;
}

/** An entry for what is covered by others. */
export const mapped = (m: Omit<Mapped, "kind">): Mapped => ({ kind: "mapped", ...m });

/** All sides: baseline, system, then ablations. */
export const sidesOf = (r: Recipe): readonly Side[] => [r.baseline, r.system, ...(r.ablations ?? [])];
