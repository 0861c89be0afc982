import { pad, slice, type Tensor, transpose } from "@reins/tensor";

/** Columns of whole texts, [time, rows], as the rows [rows, time] that a decoder reads, and back. */
export interface TextRows {
  toRows(column: Tensor): Tensor;
  toColumn(rows: Tensor): Tensor;
}

/** Conversions of columns of `time` steps; padding behind the last of `positions` is left out, and 0 in results. */
export function textRows(time: number, positions = time): TextRows {
  // Padding may be longer than the position table; texts never are.
  const behind = Math.max(0, time - positions);
  return {
    toRows: (column) => transpose(behind ? slice(column, [[0, time - behind]]) : column, 0, 1),
    toColumn(rows) {
      const turned = transpose(rows);
      return behind
        ? pad(turned, [
            [0, behind],
            [0, 0],
          ])
        : turned;
    },
  };
}
