import {
  add,
  and,
  concat,
  eq,
  gt,
  mul,
  reshape,
  scatterAdd,
  shl,
  shr,
  slice,
  sum,
  type Tensor,
  where,
} from "@reins/tensor";
import { side } from "../../minatar/game.ts";
import { flag, places, signOf, upright } from "../rows.ts";
import { onScreen } from "./screen.ts";

/**
 * Objects that move along their rows, each field i32 [rows, slots]; slot 0 has the youngest. `kind` is 0 in an
 * empty slot.
 */
export type Swimmers = {
  readonly [name in "kind" | "rightward" | "x" | "y" | "wait" | "reload"]: Tensor;
};

/** Kinds of enemies; divers and bullets are of the first kind. */
export const [fish, submarine] = [1, 2];

/** The objects as one number each: a list is shifted as one tensor. */
export function pack({ kind, rightward, x, y, wait, reload }: Swimmers): Tensor {
  const place = add(add(kind, shl(rightward, 2)), add(shl(x, 3), shl(y, 7)));
  return where(gt(kind, 0), add(place, add(shl(wait, 11), shl(reload, 14))), 0);
}

/** The opposite of {@link pack}. */
export const unpack = (packed: Tensor): Swimmers => ({
  kind: and(packed, 3),
  rightward: and(shr(packed, 2), 1),
  x: and(shr(packed, 3), 15),
  y: and(shr(packed, 7), 15),
  wait: and(shr(packed, 11), 7),
  reload: shr(packed, 14),
});

/** All move up one slot; the given ones, [rows], enter the first, and those in the last leave. */
export const enter = (list: Tensor, first: Tensor): Tensor =>
  concat([upright(first), slice(list, [null, [0, list.shape[1] - 1]])], 1);

/** The column one cell ahead, or with -1 behind. */
export const beside = ({ x, rightward }: Pick<Swimmers, "x" | "rightward">, way = 1): Tensor =>
  add(x, mul(signOf(gt(rightward, 0)), way));

/** Whether they are in a cell given for each row. */
export const isAt = ({ kind, x, y }: Pick<Swimmers, "kind" | "x" | "y">, atX: Tensor, atY: Tensor): Tensor =>
  and(gt(kind, 0), and(eq(x, upright(atX)), eq(y, upright(atY))));

/** Values of all slots added up in each cell, i32 [rows, 10, 10]; those off the screen are lost. */
export function inCells(x: Tensor, y: Tensor, values: Tensor): Tensor {
  const cells = side * side;
  const cell = where(onScreen(x), add(mul(y, side), x), cells);
  const sums = slice(scatterAdd(cell, values, 1, cells + 1), [null, [0, cells]]);
  return reshape(sums, [x.shape[0], side, side]);
}

/** Lines with a bit where a condition holds in a cell. */
export const linesWhere = (condition: Tensor): Tensor => sum(mul(flag(condition), shl(1, places(side))), 2);
