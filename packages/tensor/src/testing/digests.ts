import type { BackendName, Tensor } from "../index.ts";
import { compile } from "../index.ts";
import { type BitProgram, bitPrograms } from "./bit-programs.ts";
import { digestOf } from "./digest.ts";

/** Number of programs that are compiled together: starting a C compiler takes time. */
const chunk = 24;
/** All programs, in batches of that size. */
export const lots: readonly (readonly BitProgram[])[] = Array.from(
  { length: Math.ceil(bitPrograms.length / chunk) },
  (_, i) => bitPrograms.slice(i * chunk, (i + 1) * chunk),
);

/** The results of a batch on a back end. */
export function resultsOf(lot: readonly BitProgram[], backend: BackendName, threads = 1): Tensor[][] {
  const f = compile((all: Tensor[][]) => lot.map((p, i) => p.fn(...all[i])), { backend, threads });
  return f(lot.map((p) => [...p.inputs]));
}

/** Their digests by program name. */
export function digestsOf(
  lot: readonly BitProgram[],
  backend: BackendName,
  threads = 1,
): Record<string, string> {
  const results = resultsOf(lot, backend, threads);
  return Object.fromEntries(lot.map((p, i) => [p.name, digestOf(results[i])]));
}
