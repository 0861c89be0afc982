import { expandDims, sum, type Tensor } from "@reins/tensor";

/** A column that broadcasts against values: with one more axis if a critic has several heads. */
export const forEachHead = (column: Tensor, rank: number): Tensor =>
  rank > column.rank ? expandDims(column, -1) : column;

/** The sum over a critic's heads, one number per step; unchanged for a critic without heads. */
export const overHeads = (x: Tensor, rank: number): Tensor => (x.rank > rank ? sum(x, -1) : x);
