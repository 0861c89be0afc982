import { type Tensor, take } from "@reins/tensor";
import { type Initialiser, normal } from "../init/index.ts";
import type { Layer } from "../layer.ts";

/** `table` is [count, width]. */
export type EmbeddingParams = { table: Tensor };

/** Settings of {@link embedding}. */
export interface EmbeddingOptions {
  /** How many things there are to look up. */
  count: number;
  /** Length of the vector for each. */
  width: number;
  /** First table; standard normal unless given. */
  tableInit?: Initialiser;
}

/** A vector for each index (i32): `[…]` becomes `[…, width]`. */
export function embedding({ count, width, tableInit = normal() }: EmbeddingOptions): Layer<EmbeddingParams> {
  return {
    init: (key) => ({ table: tableInit(key, [count, width]) }),
    apply: ({ table }, indices) => take(table, indices),
  };
}
