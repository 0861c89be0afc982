import {
  add,
  and,
  cast,
  clamp,
  eq,
  expandDims,
  iota,
  lt,
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
import { flag, places, upright } from "../rows.ts";

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

/** Lines with one cell; empty where `y` or `x` is off the screen. */
export function cellAt(y: TensorLike, x: Tensor): Tensor {
  const here = eq(places(side), typeof y === "object" ? upright(y) : y);
  return where(here, upright(columnBit(x)), 0);
}

/** The bit of a column; 0 off the screen. */
export const columnBit = (x: Tensor): Tensor => where(onScreen(x), shl(1, x), 0);

/** Whether a column is on the screen. */
export const onScreen = (x: Tensor): Tensor => and(x.ge(0), lt(x, side));

/** One more or less, within bounds, by which of two actions is chosen. */
export const moved = (
  x: Tensor,
  action: Tensor,
  less: number,
  more: number,
  low: number,
  high: number,
): Tensor => clamp(add(x, sub(flag(eq(action, more)), flag(eq(action, less)))), low, high);
