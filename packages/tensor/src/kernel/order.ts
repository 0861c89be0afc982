import type { GemmStep } from "./program.ts";

/**
 * The order in which the terms of each element of a product are added, always fused with their multiplication:
 *
 * - `rising`: k rising, one after the other, starting from the bias (or 0).
 * - `lanes`: term k in lane k modulo `laneCount`, each lane from 0 with k rising; then the lanes are reduced like those of any sum, and
 *   the bias is added last. For products of few columns or rows whose operands are contiguous along k: dot products, not tiles.
 *
 * It depends only on the product's sizes and strides, never on the processor, the number of threads or the tiles.
 */
export type ProductOrder = "rising" | "lanes";

export function productOrder({ m, n, k, aStrides, bStrides }: Shape): ProductOrder {
  const [aRow, aAlong] = aStrides;
  const [bAlong, bColumn] = bStrides;
  if (k < shortest || aAlong !== 1 || aRow < 0) return "rising";
  const fewRows = m <= mostRows && bAlong === 1 && bColumn >= 0 && bColumn !== 1;
  return n < fewestColumns || fewRows ? "lanes" : "rising";
}

type Shape = Pick<GemmStep, "m" | "n" | "k" | "aStrides" | "bStrides">;

/** Minimum k for lanes. */
const shortest = 8;
/** Minimum number of columns for tiles; with fewer, tiles would be mostly empty. */
const fewestColumns = 4;
/** Maximum number of rows for lanes; with more, transposing b so that its columns are adjacent pays off. */
const mostRows = 16;
