import { cast, expandDims, full, gt, iota, max, minimum, mul, sub, type Tensor } from "@reins/tensor";

/** Numbers 0 to `count` - 1, as one row. */
export const places = (count: number): Tensor => iota([1, count], 1);

/** A column of rows, [rows], as a table with one column. */
export const upright = (x: Tensor): Tensor => expandDims(x, 1);

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

/** A number in every row, i32. */
export const every = (rows: number, value: number): Tensor => full([rows], value, "i32");
