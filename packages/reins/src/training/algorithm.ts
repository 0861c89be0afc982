import { algorithms } from "@reins/algorithms";
import { type AlgorithmMaker, didYouMean, fail } from "@reins/core";

/** The maker of an algorithm, by its name. */
export function makerOf(name: string): AlgorithmMaker {
  if (Object.hasOwn(algorithms, name)) return algorithms[name];
  const names = Object.keys(algorithms);
  return fail("algorithm", `there is no ${name}.${didYouMean(name, names)} There are ${names.join(", ")}.`);
}
