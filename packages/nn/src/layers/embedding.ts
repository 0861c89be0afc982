import { type Tensor, take } from "@reins/tensor";
import { type Initialiser, normal } from "../init/index.ts";
import type { Layer } from "../layer.ts";

/** `table` is [count, width]. */
export type EmbeddingParams = { table: Tensor };

/** Settings of {@link embedding}. */
export interface EmbeddingOptions {
  /** Number of entries. */
  count: number;
  /** Length of each vector. */
  width: number;
  /** Initial table (default: standard normal). */
  tableInit?: Initialiser;
}

/** A vector for each index (i32): `[…]` becomes `[…, width]`. */
export function embedding({ count, width, tableInit = normal() }: EmbeddingOptions): Layer<EmbeddingParams> {
  return {
    init: (key) => ({ table: tableInit(key, [count, width]) }),
    apply: ({ table }, indices) => take(table, indices),
  };
}
