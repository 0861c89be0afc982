import {
  add,
  and,
  cast,
  clamp,
  eq,
  expandDims,
  full,
  gt,
  iota,
  lt,
  max,
  minimum,
  mul,
  or,
  reshape,
  shl,
  shr,
  sub,
  type Tensor,
  type TensorLike,
  where,
} from "@reins/tensor";
import { side } from "../../minatar/game.ts";

/**
 * The bytes of a screen, u8 [rows, 10, 10, channels]. A channel is lines, [rows, 10], with a bit per column, or bools,
 * [rows, 10, 10]. First a number for each cell has a bit per channel: loops over a few channels would be slow.
 */
export function screenOf(channels: readonly Tensor[]): Tensor {
  const [rows] = channels[0].shape;
  const bits = channels.map((c) => (c.rank === 3 ? flag(c) : and(shr(expandDims(c, 2), iota([side])), 1)));
  const cells = reshape(bits.map((bit, i) => shl(bit, i)).reduce(or), [rows, side * side, 1]);
  const bytes = cast(mul(and(shr(cells, iota([channels.length])), 1), 255), "u8");
  return reshape(bytes, [rows, side, side, channels.length]);
}

/** Numbers 0 to `count` - 1, as one row. */
export const places = (count: number): Tensor => iota([1, count], 1);

/** A column of rows, [rows], as a table with one column. */
export const upright = (x: Tensor): Tensor => expandDims(x, 1);

/** Lines with one cell; empty where `y` or `x` is off the screen. */
export function cellAt(y: TensorLike, x: Tensor): Tensor {
  const here = eq(places(side), typeof y === "object" ? upright(y) : y);
  return where(here, upright(columnBit(x)), 0);
}

/** The bit of a column; 0 off the screen. */
export const columnBit = (x: Tensor): Tensor => where(onScreen(x), shl(1, x), 0);

/** Whether a column is on the screen. */
export const onScreen = (x: Tensor): Tensor => and(x.ge(0), lt(x, side));

/** The whole number below `count` that a uniform number stands for; the product may be rounded up to `count`. */
export const pickBelow = (uniform: Tensor, count: Tensor | number): Tensor =>
  typeof count === "number"
    ? minimum(cast(mul(uniform, count), "i32"), count - 1)
    : minimum(cast(mul(uniform, cast(count, "f32")), "i32"), sub(count, 1));

/** Whether a condition holds anywhere in a row. */
export const anyOf = (condition: Tensor): Tensor => gt(max(flag(condition), 1), 0);

/** 1 where a condition holds, 0 elsewhere. */
export const flag = (condition: Tensor): Tensor => cast(condition, "i32");

/** 1 where a condition holds, -1 elsewhere. */
export const signOf = (condition: Tensor): Tensor => sub(mul(flag(condition), 2), 1);

/** One more or less, within bounds, by which of two actions is chosen. */
export const moved = (
  x: Tensor,
  action: Tensor,
  less: number,
  more: number,
  low: number,
  high: number,
): Tensor => clamp(add(x, sub(flag(eq(action, more)), flag(eq(action, less)))), low, high);

/** A number in every row, i32. */
export const every = (rows: number, value: number): Tensor => full([rows], value, "i32");
