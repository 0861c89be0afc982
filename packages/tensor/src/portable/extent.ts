import { fail } from "../errors.ts";
import type { Tensor } from "../tensor.ts";
import type { Tree } from "../tree.ts";
import type { FunctionData } from "./data.ts";
import { type DeserialiseOptions, deserialiseFunction } from "./read.ts";
import { type SerialisedFunction, serialiseFunction } from "./write.ts";

/** A number in the data that depends on the extent n: `n` times n plus `plus`. */
interface Linear {
  readonly n: number;
  readonly plus: number;
}

/** A function as data for arguments with a shared extent (a number of rows) that is chosen when it is read. */
export interface BatchFunctionData {
  readonly function: FunctionData;
}

/** Extents for the two traces that are compared. Prime, so that shapes do not coincide by accident. */
const trials = [
  [7, 11],
  [13, 17],
] as const;

/**
 * Serialises a function for any number of rows: `argsOf(n)` are its arguments with n rows. Only shapes may depend on the number of
 * rows, not the operations; otherwise the result is undefined.
 */
export function serialiseForBatch<A extends unknown[], R extends Tree>(
  fn: (...args: A) => R,
  argsOf: (n: number) => A,
): (Omit<SerialisedFunction, "data"> & { readonly data: BatchFunctionData }) | undefined {
  for (const [a, b] of trials) {
    const [first, second] = [a, b].map((n) => serialiseFunction(fn, ...argsOf(n)));
    if (first.constants.length !== second.constants.length) continue;
    if (!first.constants.every((t, i) => alike(t, second.constants[i]))) continue;
    const common = merged(first.data, second.data, a, b);
    if (common !== undefined)
      return { data: { function: common as FunctionData }, constants: first.constants };
  }
  return undefined;
}

/** Whether two constants are equal: one tensor, or two with the same values that were made while tracing. */
function alike(a: Tensor, b: Tensor): boolean {
  if (a.storage === b.storage) return true;
  if (a.dtype !== b.dtype || a.shape.join() !== b.shape.join()) return false;
  return a.data.every((x, i) => Object.is(x, b.data[i]));
}

/** The function that {@link serialiseForBatch} serialised, for a number of rows. */
export function deserialiseForBatch(
  { function: data }: BatchFunctionData,
  constants: readonly Tensor[] = [],
  options: DeserialiseOptions = {},
): (n: number) => (...args: Tree[]) => Tree {
  const known = new Map<number, (...args: Tree[]) => Tree>();
  return (n) => {
    if (!Number.isSafeInteger(n) || n < 1)
      fail(options.source ?? "readForExtent", `the number of rows is ${n}; use an integer of at least 1.`);
    const found = known.get(n) ?? deserialiseFunction(filled(data, n) as FunctionData, constants, options);
    known.set(n, found);
    return found;
  };
}

/** The common data of two traces, with differing numbers as functions of the extent; undefined if anything else differs. */
function merged(x: unknown, y: unknown, a: number, b: number): unknown {
  if (typeof x === "number" && typeof y === "number") {
    if (Object.is(x, y)) return x;
    const n = (y - x) / (b - a);
    const plus = x - n * a;
    return Number.isSafeInteger(n) && Number.isSafeInteger(plus) ? ({ n, plus } satisfies Linear) : undefined;
  }
  if (typeof x !== "object" || typeof y !== "object" || x === null || y === null)
    return Object.is(x, y) ? x : undefined;
  if (Array.isArray(x) !== Array.isArray(y)) return undefined;
  const names = Object.keys(x);
  if (names.join() !== Object.keys(y).join()) return undefined;
  const entries: [string, unknown][] = [];
  for (const name of names) {
    const [p, q] = [(x as Record<string, unknown>)[name], (y as Record<string, unknown>)[name]];
    const common = merged(p, q, a, b);
    if (common === undefined && p !== undefined) return undefined;
    entries.push([name, common]);
  }
  return Array.isArray(x) ? entries.map(([, v]) => v) : Object.fromEntries(entries);
}

/** The data with its numbers for an extent. */
function filled(x: unknown, extent: number): unknown {
  if (typeof x !== "object" || x === null) return x;
  if (Array.isArray(x)) return x.map((v) => filled(v, extent));
  const { n, plus } = x as Partial<Linear>;
  if (typeof n === "number" && typeof plus === "number") return n * extent + plus;
  return Object.fromEntries(Object.entries(x).map(([k, v]) => [k, filled(v, extent)]));
}
