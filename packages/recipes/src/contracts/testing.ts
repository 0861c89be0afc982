import { defaultRng, stream } from "@reins/core/random";
import type { ClaimVerdict } from "../claims/verdict.ts";
import type { Arm, Recipe, Trial } from "../recipe.ts";

/** An invented value: constant, a mean with a spread between runs, or a function of the trial's noise. */
export type Value =
  | number
  | readonly [mean: number, spread: number]
  | ((trial: Trial, noise: number) => number);

/** Invented values of each arm, by name. */
export interface Made {
  readonly [side: string]: { readonly [value: string]: Value };
}

/** Invented values, and the verdict on each claim that follows from them. */
export interface Case {
  readonly made: Made;
  readonly implies: readonly ClaimVerdict[];
}

/** A recipe without real arms: a paper's claims in terms of the contract. */
export interface Contract {
  /** The recipe, with placeholder arms. */
  recipe(side: (name: string, more?: Partial<Arm>) => Arm): Recipe;
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
