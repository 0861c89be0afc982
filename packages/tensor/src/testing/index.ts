/** Internals for other packages of this workspace; not published. */

export { type Interposed, interpose } from "../reference/evaluate.ts";
export type { Operand } from "../reference/evaluator.ts";
export { digestOf } from "./digest.ts";
export { Generator } from "./generator.ts";
export { specialFloats } from "./special-values.ts";
