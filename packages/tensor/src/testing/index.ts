/** `@reins/tensor/testing`: what tests in other packages of this workspace need; not published. */

export { type Interposed, interpose } from "../reference/evaluate.ts";
export type { Operand } from "../reference/evaluator.ts";
export { Generator } from "./generator.ts";
export { specialFloats } from "./special-values.ts";
