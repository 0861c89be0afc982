import { defaultRng, stream } from "@reins/core";
import type { ClaimVerdict } from "../claims/verdict.ts";
import type { Recipe, Side, Trial } from "../recipe.ts";

/** A value that is made up: always the same, a mean with the spread of what each run has of its own, or what a trial makes of that noise. */
export type Value =
  | number
  | readonly [mean: number, spread: number]
  | ((trial: Trial, noise: number) => number);

/** Made-up values of each side, by name. */
export interface Made {
  readonly [side: string]: { readonly [value: string]: Value };
}

/** Values that are made up, and the verdict on each claim that they imply. */
export interface Case {
  readonly made: Made;
  readonly implies: readonly ClaimVerdict[];
}

/** A recipe of which all but the sides is written: what a paper claims, in the words of the contract. */
export interface Contract {
  /** The recipe, with sides that stand in for those to come. */
  recipe(side: (name: string, more?: Partial<Side>) => Side): Recipe;
  readonly cases: readonly Case[];
}

/** The recipe of a contract with the values of a case. */
export const withValues = (contract: Contract, { made }: Case): Recipe =>
  contract.recipe((name, more) => ({
    name,
    run: (trial) => ({
      values: Object.fromEntries(
        Object.entries(made[name]).map(([value, what]) => [value, drawn(what, trial, `${name}, ${value}`)]),
      ),
      early: [name.length],
      used: trial.budget,
    }),
    ...more,
  }));

function drawn(what: Value, trial: Trial, name: string): number {
  if (typeof what === "number") return what;
  const noise = defaultRng(stream(trial.seed, `${name}, ${trial.replicate}`)).normal();
  return typeof what === "function" ? what(trial, noise) : what[0] + what[1] * noise;
}
