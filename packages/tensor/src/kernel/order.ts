import type { GemmStep } from "./program.ts";

/**
 * The order in which the terms of each element of a product are added, always fused with their multiplication:
 *
 * - `rising`: k rising, one after the other, from the bias on (or 0).
 * - `lanes`: term k in lane k modulo `laneCount`, each lane from 0 with k rising; then the lanes joined as those of any sum, and the bias
 *   added last. For products of few columns or rows whose operands lie along k, which are dot products rather than tiles.
 *
 * It follows from the product's sizes and strides alone: never from the processor, the number of threads or the tiles.
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

/** Below, there is nothing to gain from lanes. */
const shortest = 8;
/** With fewer columns, tiles would be mostly empty. */
const fewestColumns = 4;
/** With more rows, moving b so that its columns are adjacent pays. */
const mostRows = 16;
