import { and, cast, cumsum, eq, expandDims, iota, le, max, minimum, type Tensor, where } from "@reins/tensor";

/** Which tokens of packed rows see each other, and their positions. */
export interface PackedRows {
  /** bool [rows, 1, time, time]: both tokens are of one text. Combined with the causal mask. */
  readonly mask: Tensor;
  /** i32 [rows, time]: positions within each text. */
  readonly positions: Tensor;
}

/** Rows of several texts; `first` (bool [rows, time]) marks where each begins. Positions of padding stay below `longest`. */
export function packedRows(first: Tensor, longest = first.shape[1]): PackedRows {
  const [, time] = first.shape;
  const text = cumsum(cast(first, "i32"), 1);
  const at = iota([time]);
  // The last beginning at or before each token.
  const before = and(expandDims(first, 1), le(at, expandDims(at, -1)));
  const start = max(where(before, at, 0), -1);
  return {
    mask: expandDims(eq(expandDims(text, 1), expandDims(text, 2)), 1),
    positions: minimum(at.sub(start), longest - 1),
  };
}
