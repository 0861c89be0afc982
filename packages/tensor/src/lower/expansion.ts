import type { Node } from "../graph.ts";
import type { Tensor } from "../tensor.ts";

/** An operation expanded into others: its inputs, and the expression. */
export interface Expansion {
  readonly from: readonly Node[];
  readonly write: (...from: Tensor[]) => Tensor;
}
