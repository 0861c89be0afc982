import { algorithms, type Tuned, tunedFor } from "@reins/algorithms";
import { type Algorithm, type AlgorithmMaker, didYouMean, fail } from "@reins/core";

/** Environment steps of a run for which nobody says how many. */
export const defaultSteps = 100_000;

/** The maker of an algorithm, by its name. */
export function makerOf(name: string): AlgorithmMaker {
  if (Object.hasOwn(algorithms, name)) return algorithms[name];
  const names = Object.keys(algorithms);
  return fail("algorithm", `there is no ${name}.${didYouMean(name, names)} There are ${names.join(", ")}.`);
}

/** An algorithm by name, with the settings that were found for this environment, and other settings over those. */
export function algorithmFor(
  name: string,
  env: string,
  options: { readonly [name: string]: unknown } = {},
  tuned: Tuned | undefined = tunedFor(name, env),
): Algorithm {
  return makerOf(name)({ ...tuned?.options, ...options });
}
