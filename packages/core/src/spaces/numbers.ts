import type { Value } from "../space.ts";

/** Writes the numbers of nested arrays in order, and returns the position after the last. */
export function fill(data: { [index: number]: number }, at: number, value: ArrayLike<Value>): number {
  for (let i = 0; i < value.length; i++) {
    const v = value[i];
    if (typeof v === "object") at = fill(data, at, v as ArrayLike<Value>);
    else data[at++] = v as number;
  }
  return at;
}

/** The numbers of nested arrays in order; a flat array is returned as it is. */
export function flat(value: ArrayLike<Value>): ArrayLike<number> {
  if (typeof value[0] !== "object") return value as ArrayLike<number>;
  const out: number[] = [];
  fill(out, 0, value);
  return out;
}

/** Whether a value is an array of some kind (a string has a length too, but is not one). */
export function isArray(value: unknown): value is ArrayLike<Value> {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
}

/** How a value differs from an array of this shape; flat arrays of the same length are accepted. */
export function shapeFault(value: unknown, shape: readonly number[], size: number): string | undefined {
  if (!isArray(value)) return `is ${kindOf(value)}`;
  if (typeof value[0] !== "object")
    return value.length === size
      ? undefined
      : `has ${value.length} ${value.length === 1 ? "number" : "numbers"}`;
  return nestingFits(value, shape, 0) ? undefined : `has shape [${nesting(value).join(", ")}]`;
}

function nestingFits(value: unknown, shape: readonly number[], axis: number): boolean {
  if (axis === shape.length) return typeof value === "number";
  if (!isArray(value) || value.length !== shape[axis]) return false;
  for (let i = 0; i < value.length; i++) if (!nestingFits(value[i], shape, axis + 1)) return false;
  return true;
}

function nesting(value: unknown): number[] {
  return isArray(value) ? [value.length, ...nesting(value[0])] : [];
}

/** A short description of a value. */
export function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (isArray(value)) return `an array of ${value.length}`;
  if (typeof value === "object") return `a record of ${Object.keys(value).join(", ") || "nothing"}`;
  if (typeof value === "string") return `the string ${JSON.stringify(value.slice(0, 40))}`;
  return `the ${typeof value} ${value}`;
}
