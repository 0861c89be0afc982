import { Tensor } from "@reins/tensor";
import { fail } from "../errors.ts";
import { isNumberArray, type NumberArray, type Snapshot } from "../snapshot.ts";
import { JsonText } from "./text.ts";

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Arrays of a tree, by their names in the file. */
export type Arrays = Map<string, NumberArray | Tensor>;

/**
 * Writes state as JSON without its arrays: `{"$tensor": name}` and `{"$array": name}` refer to them. Numbers that JSON lacks are
 * `{"$number": "NaN"}`, and names of the user that begin with a dollar get a second one.
 */
export function encodeTo(text: JsonText, value: unknown, arrays: Arrays): void {
  walk(text, value, arrays, []);
}

/** Like {@link encodeTo}, as a value. */
export function encode(value: unknown, arrays: Arrays): Json {
  const text = new JsonText();
  encodeTo(text, value, arrays);
  return JSON.parse(text.toString()) as Json;
}

type Path = (string | number)[];

function walk(text: JsonText, value: unknown, arrays: Arrays, path: Path): void {
  if (value === null || value === undefined) text.raw("null");
  else if (typeof value === "number") writeNumber(text, value);
  else if (typeof value === "string") text.string(value);
  else if (typeof value === "boolean") text.raw(value ? "true" : "false");
  else if (typeof value !== "object") refuse(path, typeof value);
  else if (value instanceof Tensor)
    text
      .raw('{"$tensor":')
      .string(put(value, path, arrays))
      .raw("}");
  else if (isNumberArray(value))
    text
      .raw('{"$array":')
      .string(put(value, path, arrays))
      .raw("}");
  else if (Array.isArray(value)) {
    text.raw("[");
    for (let i = 0; i < value.length; i++) {
      if (i) text.raw(",");
      path.push(i);
      walk(text, value[i], arrays, path);
      path.pop();
    }
    text.raw("]");
  } else writeRecord(text, value as Record<string, unknown>, arrays, path);
}

function writeRecord(text: JsonText, record: Record<string, unknown>, arrays: Arrays, path: Path): void {
  const kind = Object.getPrototypeOf(record) as object | null;
  if (kind !== null && kind !== Object.prototype) refuse(path, kind.constructor?.name);
  let first = true;
  text.raw("{");
  for (const name of Object.keys(record)) {
    if (record[name] === undefined) continue;
    if (!first) text.raw(",");
    first = false;
    text.name(name.startsWith("$") ? `$${name}` : name);
    path.push(name);
    walk(text, record[name], arrays, path);
    path.pop();
  }
  text.raw("}");
}

function writeNumber(text: JsonText, x: number): void {
  // -0 too: it is lost when another program parses the JSON and writes it again.
  if (Object.is(x, -0)) text.raw('{"$number":"-0"}');
  else if (Number.isFinite(x)) text.finite(x);
  else text.raw(`{"$number":"${x}"}`);
}

function refuse(path: Path, kind: string): never {
  const where = path.join(".") || "the state";
  fail(
    "checkpoint",
    `${where} is a ${kind}, which a checkpoint cannot hold. Return plain records and arrays from save().`,
  );
}

function put(value: NumberArray | Tensor, path: Path, arrays: Arrays): string {
  const stem = path.join(".") || "value";
  let name = stem;
  // {"a.b": x, a: {b: y}} has one path twice, and the file format reserves a name.
  for (let n = 2; arrays.has(name) || name === "__metadata__"; n++) name = `${stem}~${n}`;
  arrays.set(name, value);
  return name;
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
