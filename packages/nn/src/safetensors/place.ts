import { fail } from "../errors.ts";
import { halfToNumber } from "./convert.ts";
import type { FileType } from "./format.ts";

/** Where a file's matrix is placed in an array of rows. */
export interface MatrixPlacement {
  /** Length of the array's rows. */
  readonly stride: number;
  /** The first column that it fills (default 0). */
  readonly column?: number;
  /** Whether to transpose it. */
  readonly turned?: boolean;
}

/** Side of a square tile that is transposed at once, so that its cache lines stay in the cache. */
const tile = 64;

/** Writes some rows of a file's matrix, from its row `first` on, into an array of f32. */
export function copyNumbers(
  type: FileType,
  bytes: Uint8Array,
  columns: number,
  first: number,
  target: Float32Array,
  placing: MatrixPlacement,
): void {
  const to = { first, columns, stride: placing.stride, column: placing.column ?? 0 };
  const copy = placing.turned ? turn : lay;
  const count = bytes.length / (type === "F32" ? 4 : 2);
  const bits = new Uint32Array(target.buffer, target.byteOffset, target.length);
  switch (type) {
    case "F32":
      return copy(new Uint32Array(bytes.buffer, bytes.byteOffset, count), bits, 0, to);
    case "BF16":
      return copy(new Uint16Array(bytes.buffer, bytes.byteOffset, count), bits, 16, to);
    case "F16": {
      const wide = Float32Array.from(new Uint16Array(bytes.buffer, bytes.byteOffset, count), halfToNumber);
      return copy(new Uint32Array(wide.buffer), bits, 0, to);
    }
    default:
      return fail("safetensors", `${type} is not a floating-point type.`);
  }
}

interface Place {
  readonly first: number;
  readonly columns: number;
  readonly stride: number;
  readonly column: number;
}

/** Copies rows; `shift` makes f32 from the upper half of its bits. */
function lay(
  from: Uint16Array | Uint32Array,
  to: Uint32Array,
  shift: number,
  { first, columns, stride, column }: Place,
): void {
  const rows = from.length / columns;
  for (let r = 0; r < rows; r++) {
    const at = (first + r) * stride + column;
    if (shift === 0) to.set(from.subarray(r * columns, (r + 1) * columns), at);
    else for (let c = 0, f = r * columns; c < columns; c++, f++) to[at + c] = from[f] << 16;
  }
}

/** Transposes rows into columns, a tile at a time. */
function turn(
  from: Uint16Array | Uint32Array,
  to: Uint32Array,
  shift: number,
  { first, columns, stride, column }: Place,
): void {
  const rows = from.length / columns;
  for (let r0 = 0; r0 < rows; r0 += tile) {
    const r1 = Math.min(rows, r0 + tile);
    for (let c0 = 0; c0 < columns; c0 += tile) {
      const c1 = Math.min(columns, c0 + tile);
      for (let c = c0; c < c1; c++) {
        let at = c * stride + column + first + r0;
        for (let f = r0 * columns + c, end = r1 * columns; f < end; f += columns) to[at++] = from[f] << shift;
      }
    }
  }
}
