import type { Node } from "../graph.ts";
import type { Tensor } from "../tensor.ts";

/** An operation written in others: what it is made from, and how. */
export interface Expansion {
  readonly from: readonly Node[];
  readonly write: (...from: Tensor[]) => Tensor;
}
