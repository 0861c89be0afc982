import { createHash } from "node:crypto";
import type { BackendName, Tensor } from "../index.ts";
import { compile } from "../index.ts";
import { type BitProgram, bitPrograms } from "./bit-programs.ts";
import { bitsOf } from "./compare.ts";

/** A short name for the bits of tensors, shapes and types included. */
export function digestOf(tensors: readonly Tensor[]): string {
  const hash = createHash("sha256");
  for (const t of tensors) {
    hash.update(`${t.dtype}[${t.shape}]`);
    const bits = bitsOf(t);
    hash.update(Uint8Array.from({ length: 4 * bits.length }, (_, i) => bits[i >> 2] >>> (8 * (i & 3))));
  }
  return hash.digest("hex").slice(0, 16);
}

/** Programs that are compiled together: a C compiler takes its time to start. */
const chunk = 24;
/** All of them, in such lots. */
export const lots: readonly (readonly BitProgram[])[] = Array.from(
  { length: Math.ceil(bitPrograms.length / chunk) },
  (_, i) => bitPrograms.slice(i * chunk, (i + 1) * chunk),
);

/** The results of a lot on a back end. */
export function resultsOf(lot: readonly BitProgram[], backend: BackendName, threads = 1): Tensor[][] {
  const f = compile((all: Tensor[][]) => lot.map((p, i) => p.fn(...all[i])), { backend, threads });
  return f(lot.map((p) => [...p.inputs]));
}

/** Their digests, by the programs' names. */
export function digestsOf(
  lot: readonly BitProgram[],
  backend: BackendName,
  threads = 1,
): Record<string, string> {
  const results = resultsOf(lot, backend, threads);
  return Object.fromEntries(lot.map((p, i) => [p.name, digestOf(results[i])]));
}
