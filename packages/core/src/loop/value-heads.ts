import { expandDims, sum, type Tensor } from "@reins/tensor";

/** A column as it goes with values: with an axis more where a critic has several heads, so that it is the same for all of them. */
export const forEachHead = (column: Tensor, rank: number): Tensor =>
  rank > column.rank ? expandDims(column, -1) : column;

/** Numbers of a critic's heads added up, one a step; those of a critic without heads are left alone. */
export const overHeads = (x: Tensor, rank: number): Tensor => (x.rank > rank ? sum(x, -1) : x);
