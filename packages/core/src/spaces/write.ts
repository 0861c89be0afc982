import type { Tensor, Tree } from "@reins/tensor";
import { fail } from "../errors.ts";
import type { Space, Value } from "../space.ts";
import { check, unbounded } from "./check.ts";
import { clearGraph, putGraph, readGraph } from "./graph.ts";
import { elements, hostOnly } from "./layout.ts";
import { putLetters, readLetters } from "./letters.ts";
import { fill } from "./numbers.ts";

type Trees = { readonly [name: string]: Tree };
type Values = { readonly [name: string]: Value };

/** Writes a value into one row of the columns of its space, in place; padding becomes zeros. Box bounds are not enforced. */
export function write(space: Space, columns: Tree, row: number, value: Value): void {
  const fault = check(space, value, "value", unbounded);
  if (fault) fail("write", fault);
  put(space, columns, row, value);
}

/** Checks and writes in one pass over the numbers, for the most common spaces; returns false for values that need `check` and `put`. */
export function putFast(space: Space, columns: Tree, slot: number, value: unknown): boolean {
  if (space.kind !== "box" || space.shape.length === 0) return false;
  const size = elements(space);
  if (typeof value !== "object" || (value as ArrayLike<unknown> | null)?.length !== size) return false;
  const { data } = columns as Tensor;
  for (let i = 0, at = slot * size; i < size; i++, at++) {
    const x = (value as ArrayLike<unknown>)[i];
    // For infinities and NaN, x - x is NaN.
    if (typeof x !== "number" || x - x !== 0) return false;
    data[at] = x;
  }
  return true;
}

/** `write` for a valid value. `slot` counts values of this space: rows, or rows × items inside a list. */
export function put(space: Space, columns: Tree, slot: number, value: Value): void {
  switch (space.kind) {
    case "discrete":
      (columns as Tensor).data[slot] = value as number;
      return;
    case "list": {
      const { items, count } = columns as Trees;
      const values = value as readonly Value[];
      for (let i = 0; i < values.length; i++) put(space.item, items, slot * space.max + i, values[i]);
      for (let i = values.length; i < space.max; i++) clear(space.item, items, slot * space.max + i);
      (count as Tensor).data[slot] = values.length;
      return;
    }
    case "graph":
      return putGraph(space, columns as Trees, slot, value as Values);
    case "dict":
      for (const name in space.spaces)
        put(space.spaces[name], (columns as Trees)[name], slot, (value as Values)[name]);
      return;
    case "tuple":
      for (let i = 0; i < space.spaces.length; i++)
        put(space.spaces[i], (columns as readonly Tree[])[i], slot, (value as readonly Value[])[i]);
      return;
    case "text":
      return putLetters(space, columns, slot, value as string);
    case "content":
      return hostOnly(space);
    default: {
      const { data } = columns as Tensor;
      const size = elements(space);
      const at = slot * size;
      if (typeof value === "number") data[at] = value;
      // A memory copy pays off from a few cache lines on; below, the call costs more than the loop.
      else if (size > 64 && ArrayBuffer.isView(value)) data.set(value as Uint8Array, at);
      else fill(data, at, value as ArrayLike<Value>);
    }
  }
}

/** A new value from one row of the columns of a space. */
export function read(space: Space, columns: Tree, row: number): Value {
  switch (space.kind) {
    case "discrete":
      return (columns as Tensor).data[row];
    case "list": {
      const { items, count } = columns as Trees;
      const n = (count as Tensor).data[row];
      return Array.from({ length: n }, (_, i) => read(space.item, items, row * space.max + i));
    }
    case "graph":
      return readGraph(space, columns as Trees, row);
    case "dict": {
      const value: Record<string, Value> = {};
      for (const name in space.spaces) value[name] = read(space.spaces[name], (columns as Trees)[name], row);
      return value;
    }
    case "tuple":
      return space.spaces.map((part, i) => read(part, (columns as readonly Tree[])[i], row));
    case "text":
      return readLetters(space, columns, row);
    case "content":
      return hostOnly(space);
    default: {
      const { data } = columns as Tensor;
      const size = elements(space);
      if (space.kind === "box" && space.shape.length === 0) return data[row];
      return data.slice(row * size, (row + 1) * size);
    }
  }
}

/** Writes zeros: padding must not contain earlier values. */
function clear(space: Space, columns: Tree, slot: number): void {
  switch (space.kind) {
    case "list": {
      const { items, count } = columns as Trees;
      for (let i = 0; i < space.max; i++) clear(space.item, items, slot * space.max + i);
      (count as Tensor).data[slot] = 0;
      return;
    }
    case "text":
      return putLetters(space, columns, slot, "");
    case "graph":
      return clearGraph(space, columns as Trees, slot);
    case "dict":
      for (const name in space.spaces) clear(space.spaces[name], (columns as Trees)[name], slot);
      return;
    case "tuple":
      for (let i = 0; i < space.spaces.length; i++)
        clear(space.spaces[i], (columns as readonly Tree[])[i], slot);
      return;
    default: {
      const size = elements(space);
      (columns as Tensor).data.fill(0, slot * size, (slot + 1) * size);
    }
  }
}
