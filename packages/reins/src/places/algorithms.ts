import { algorithms } from "@reins/algorithms";
import { type AlgorithmMaker, fail } from "@reins/core";
import { didYouMean } from "@reins/core/errors";

// Algorithms by name. Loaded on demand: programs that import one algorithm load no others.
export { algorithms, tunedFor } from "@reins/algorithms";

/** The maker of an algorithm by name. */
export function makerOf(name: string): AlgorithmMaker {
  if (Object.hasOwn(algorithms, name)) return algorithms[name];
  const names = Object.keys(algorithms);
  return fail(
    "algorithm",
    `${name} does not exist.${didYouMean(name, names)} There are ${names.join(", ")}. Register a custom algorithm with registerAlgorithm(), or pass its file: ./my-algorithm.js.`,
  );
}
