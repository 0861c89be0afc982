import { iota, mul, random, split, squeeze, type Tensor, vmap } from "@reins/tensor";

/** Columns of random numbers for initial states. */
export interface Draw {
  uniform(count: number, low: number, high: number): Tensor[];
  normal(count: number, deviation: number): Tensor[];
}

/** The columns of a tensor [rows, count]. */
export const columnsOf = (table: Tensor): Tensor[] =>
  split(
    table,
    Array.from({ length: table.shape[1] }, () => 1),
    1,
  ).map((column) => squeeze(column, 1));

/** A key for each row: its own, or one made from a single key. */
const keysOf = (key: Tensor, rows: number): Tensor =>
  key.rank === 2 ? key : vmap((row: Tensor) => random.foldKey(key, row))(iota([rows]));

/** A table of uniform numbers from 0 to 1, [rows, count]. */
export const uniformTable = (key: Tensor, rows: number, count: number): Tensor =>
  vmap((own: Tensor) => random.uniform(own, [count]))(keysOf(key, rows));

/** Each row uses its own key; a single key is split into one per row. */
export function drawFrom(key: Tensor, rows: number): Draw {
  const keys = keysOf(key, rows);
  let count = 0;
  const drawn = (sample: (key: Tensor) => Tensor): Tensor[] => {
    const draw = count++;
    return columnsOf(vmap((own: Tensor) => sample(random.foldKey(own, draw)))(keys));
  };
  return {
    uniform: (columns, low, high) => drawn((own) => random.uniform(own, [columns], low, high)),
    normal: (columns, deviation) => drawn((own) => mul(random.normal(own, [columns]), deviation)),
  };
}
