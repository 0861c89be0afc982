import type { Algorithm, AlgorithmMaker, OptionsOf, OptionTable } from "@reins/core";
import type { Grid, Settings } from "./grid.ts";
import type { Trial } from "./recipe.ts";

/** The algorithm of an arm: a method with options and the point of the grid, or a function of that point. */
export interface ArmAlgorithmOptions<T extends OptionTable, G extends Grid, P = unknown> {
  readonly algorithm: AlgorithmMaker<T, P> | ((settings: Settings<G>, trial: Trial<G>) => Algorithm);
  /** Options of the method. Settings of the grid are added under their names. */
  readonly options?: OptionsOf<T>;
}

/** Whether it is a method rather than a function that makes one. */
export const isMaker = <T extends OptionTable, G extends Grid, P>(
  algorithm: ArmAlgorithmOptions<T, G, P>["algorithm"],
): algorithm is AlgorithmMaker<T, P> => "definition" in algorithm;

/** The algorithm of a trial. */
export function armAlgorithm<T extends OptionTable, G extends Grid, P>(
  { algorithm, options }: ArmAlgorithmOptions<T, G, P>,
  trial: Trial<G>,
): Algorithm {
  return isMaker(algorithm) ? algorithm(gridOptions(options, trial)) : algorithm(trial.settings, trial);
}

/** Options of a method at a point of the grid. The method rejects unknown settings by name. */
export const gridOptions = <T extends OptionTable, G extends Grid>(
  options: OptionsOf<T> | undefined,
  trial: Trial<G>,
) => ({ ...options, ...trial.settings }) as OptionsOf<T>;
