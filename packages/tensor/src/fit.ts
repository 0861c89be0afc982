import type { DType } from "./dtype.ts";
import { fail } from "./errors.ts";

/** Refuses a number that an integer type cannot represent. Bitwise operations also accept 32-bit patterns of either sign. */
export function requireFit(x: number, dtype: DType, operation: string): void {
  if (dtype === "f32" || dtype === "bool") return;
  const [low, high] =
    dtype === "u8" ? [0, 255] : dtype === "u32" ? [0, 2 ** 32 - 1] : [-(2 ** 31), 2 ** 31 - 1];
  const pattern = dtype !== "u8" && (operation === "and" || operation === "or" || operation === "xor");
  const [from, to] = pattern ? [-(2 ** 31), 2 ** 32 - 1] : [low, high];
  if (!Number.isInteger(x) || x < from || x > to)
    fail(
      operation,
      `the number ${x} is not a valid ${dtype}. Use an integer from ${low} to ${high}, or convert the tensor with cast().`,
    );
}

/** Refuses numbers that an integer type cannot represent: an array of them would truncate or wrap. */
export function requireAllFit(values: ArrayLike<number | boolean>, dtype: DType, operation: string): void {
  if (dtype === "f32" || dtype === "bool") return;
  for (let i = 0; i < values.length; i++) requireFit(Number(values[i]), dtype, operation);
}
