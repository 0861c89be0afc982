import type { Algorithm, AlgorithmMaker, OptionsOf, OptionTable } from "@reins/core";
import type { Grid, Settings } from "./grid.ts";
import type { Trial } from "./recipe.ts";

/** How a side learns: by a method with some options and the point of the grid, or by what a function makes of that point. */
export interface LearnsBy<T extends OptionTable, G extends Grid, P = unknown> {
  readonly algorithm: AlgorithmMaker<T, P> | ((settings: Settings<G>, trial: Trial<G>) => Algorithm);
  /** Options of the method, where one is given. Those of the grid are put into it too, under their names. */
  readonly options?: OptionsOf<T>;
}

/** Whether it is a method, and not a function that makes one. */
export const isMaker = <T extends OptionTable, G extends Grid, P>(
  algorithm: LearnsBy<T, G, P>["algorithm"],
): algorithm is AlgorithmMaker<T, P> => "definition" in algorithm;

/** The algorithm of a trial. */
export function madeBy<T extends OptionTable, G extends Grid, P>(
  { algorithm, options }: LearnsBy<T, G, P>,
  trial: Trial<G>,
): Algorithm {
  return isMaker(algorithm) ? algorithm(optionsAt(options, trial)) : algorithm(trial.settings, trial);
}

/** Options of a method at a point of the grid. Settings that are no options of it are refused by the method, by name. */
export const optionsAt = <T extends OptionTable, G extends Grid>(
  options: OptionsOf<T> | undefined,
  trial: Trial<G>,
) => ({ ...options, ...trial.settings }) as OptionsOf<T>;
