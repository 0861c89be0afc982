import type { Tensor } from "@reins/tensor";
import type { Parts } from "../snapshot.ts";

/** An auxiliary learner of an on-policy method: trains on several rounds, or on the best of their steps. */
export interface Auxiliary {
  /** Called after each round; the grid still holds its steps. */
  learn(): void;
  /** Its metrics: the same tensors each time, 0 before its first update. */
  readonly metrics: { readonly [name: string]: Tensor };
  /** Its state in a checkpoint. */
  readonly parts: Parts;
}
