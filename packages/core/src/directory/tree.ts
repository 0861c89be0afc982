import { Tensor } from "@reins/tensor";
import { fail } from "../errors.ts";
import { isNumberArray, type NumberArray, type Snapshot } from "../snapshot.ts";

/** What JSON can say. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Arrays that a tree mentions, by the names they have in their file. */
export type Arrays = Map<string, NumberArray | Tensor>;

/**
 * State as JSON, with its arrays taken out: `{"$tensor": name}` and `{"$array": name}` stand in their places. What JSON lacks is
 * `{"$number": "NaN"}`, and a name of the user's that begins with a dollar gets a second one.
 */
export function encode(value: Snapshot, arrays: Arrays): Json {
  return walk(value, "", arrays);
}

function walk(value: unknown, path: string, arrays: Arrays): Json {
  if (value === null || value === undefined) return null;
  switch (typeof value) {
    case "boolean":
    case "string":
      return value;
    case "number":
      return encodeNumber(value);
    case "object":
      break;
    default:
      fail("checkpoint", `${path || "the state"} is a ${typeof value}, which cannot be written.`);
  }
  if (value instanceof Tensor) return { $tensor: put(value, path, arrays) };
  if (isNumberArray(value)) return { $array: put(value, path, arrays) };
  const below = (name: string | number) => (path ? `${path}.${name}` : `${name}`);
  if (Array.isArray(value)) return value.map((v, i) => walk(v, below(i), arrays));
  const kind = Object.getPrototypeOf(value) as object | null;
  if (kind !== null && kind !== Object.prototype)
    fail(
      "checkpoint",
      `${path || "the state"} is a ${kind.constructor?.name}, which cannot be written. Let save() give plain records and arrays.`,
    );
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, v]) => v !== undefined)
      .map(([k, v]) => [k.startsWith("$") ? `$${k}` : k, walk(v, below(k), arrays)]),
  );
}

function put(value: NumberArray | Tensor, path: string, arrays: Arrays): string {
  let name = path || "value";
  // {"a.b": x, a: {b: y}} has one path twice, and the file format keeps a name for itself.
  for (let n = 2; arrays.has(name) || name === "__metadata__"; n++) name = `${path}~${n}`;
  arrays.set(name, value);
  return name;
}

function encodeNumber(x: number): Json {
  return Number.isFinite(x) && !Object.is(x, -0) ? x : { $number: Object.is(x, -0) ? "-0" : String(x) };
}

/** Puts a tree and its arrays together again. */
export function decode(tree: Json, arrays: Arrays): Snapshot {
  if (tree === null || typeof tree !== "object") return tree;
  if (Array.isArray(tree)) return tree.map((t) => decode(t, arrays));
  const { $number, $tensor, $array } = tree as Record<string, Json>;
  if ($number !== undefined) return Number($number);
  const name = ($tensor ?? $array) as string | undefined;
  if (name !== undefined) return arrays.get(name) ?? fail("checkpoint", `the array ${name} is missing.`);
  return Object.fromEntries(
    Object.entries(tree).map(([k, v]) => [k.startsWith("$$") ? k.slice(1) : k, decode(v, arrays)]),
  );
}
