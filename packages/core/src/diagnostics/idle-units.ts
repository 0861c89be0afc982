import { Tensor, type Tree } from "@reins/tensor";
import { nn } from "../nn.ts";

/** Units (columns of weight matrices except the last ones) whose running squared gradients are nearly zero. */
export function idleUnits(optimiser: Tree | undefined, zero: number): { units: number; idle: number } {
  const squares = (optimiser as { slots?: { square?: Tree } } | undefined)?.slots?.square;
  let [units, idle] = [0, 0];
  if (squares === undefined) return { units, idle };
  for (const [name, t] of nn.flattenNames(squares)) {
    if (!(t instanceof Tensor) || t.rank !== 2 || t.shape[1] < 8 || /head/.test(name)) continue;
    const [rows, columns] = t.shape;
    for (let c = 0; c < columns; c++) {
      let largest = 0;
      for (let r = 0; r < rows; r++) largest = Math.max(largest, t.data[r * columns + c]);
      units++;
      if (largest < zero) idle++;
    }
  }
  return { units, idle };
}
