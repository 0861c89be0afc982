import { algorithms } from "@reins/algorithms";
import { type AlgorithmMaker, didYouMean, fail } from "@reins/core";

/** The maker of an algorithm, by its name. */
export function makerOf(name: string): AlgorithmMaker {
  if (Object.hasOwn(algorithms, name)) return algorithms[name];
  const names = Object.keys(algorithms);
  return fail(
    "algorithm",
    `there is no ${name}.${didYouMean(name, names)} There are ${names.join(", ")}. One of your own is known after registerAlgorithm(), or by its file: ./my-algorithm.js.`,
  );
}

/** Files that algorithms were loaded from. */
const files = new WeakMap<AlgorithmMaker, string>();

/** Remembers where an algorithm came from: its runs are to find it there again. */
export function noteFile(maker: AlgorithmMaker, file: string): void {
  files.set(maker, file);
}

/** The file of the algorithm that is known by a name, if it came from one. */
export const fileOf = (name: string): string | undefined =>
  Object.hasOwn(algorithms, name) ? files.get(algorithms[name]) : undefined;
