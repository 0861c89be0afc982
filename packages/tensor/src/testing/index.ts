/** What other packages of this workspace need to look inside; not published. */

export { type Interposed, interpose, type Operand } from "../reference/evaluate.ts";
export { Generator } from "./generator.ts";
export { specialFloats } from "./special-values.ts";
