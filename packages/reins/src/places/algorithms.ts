import { algorithms } from "@reins/algorithms";
import { type AlgorithmMaker, didYouMean, fail } from "@reins/core";

// Algorithms by their names. Loaded when one is asked for by its name: programs that import the one they need get no others.
export { algorithms, tunedFor } from "@reins/algorithms";

/** The maker of an algorithm, by its name. */
export function makerOf(name: string): AlgorithmMaker {
  if (Object.hasOwn(algorithms, name)) return algorithms[name];
  const names = Object.keys(algorithms);
  return fail(
    "algorithm",
    `there is no ${name}.${didYouMean(name, names)} There are ${names.join(", ")}. One of your own is known after registerAlgorithm(), or by its file: ./my-algorithm.js.`,
  );
}
