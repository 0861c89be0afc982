import type { Tensor } from "@reins/tensor";
import type { Parts } from "../snapshot.ts";

/** Learning beside the rounds of an on-policy method: from what several of them played, or from the best of it. */
export interface Beside {
  /** After each round, with the grid where the rollout left it. */
  learn(): void;
  /** What it measured: the same tensors each time, 0 before there was anything to learn. */
  readonly metrics: { readonly [name: string]: Tensor };
  /** What a checkpoint holds of it. */
  readonly parts: Parts;
}
