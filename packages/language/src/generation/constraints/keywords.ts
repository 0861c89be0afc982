import { fail } from "@reins/core";
import { beside, type Interval } from "./numbers.ts";

/** A JSON Schema (draft 2020-12), parsed. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };
/** A schema that is not true or false. */
export type SchemaObject = Exclude<JsonSchema, boolean>;

/** The types of JSON Schema. */
export type Type = "string" | "number" | "integer" | "boolean" | "null" | "array" | "object";

/** Keywords of each type. */
const about: { readonly [type in Type]: readonly string[] } = {
  string: ["minLength", "maxLength", "pattern"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
  integer: [],
  boolean: [],
  null: [],
  array: ["items", "prefixItems", "minItems", "maxItems"],
  object: ["properties", "required", "additionalProperties"],
};
/** A schema has at most one of these, besides annotations; `enum` and `const` may be combined with a type. */
export const alone = ["$ref", "anyOf", "oneOf", "enum", "const"] as const;
/** Annotations, which do not affect validity. `format` is one by the standard. */
const notes =
  "$schema $id $comment $defs definitions title description default examples deprecated readOnly writeOnly format";
const noted = new Set(notes.split(" "));
const known = new Set([...noted, ...alone, "type", ...Object.values(about).flat()]);

/** Rejects keywords that would be ignored: unknown ones, and unsupported combinations. */
export function check(schema: SchemaObject, at: string): void {
  const used = Object.keys(schema).filter((k) => !noted.has(k));
  for (const keyword of used)
    if (!known.has(keyword))
      fail(
        at,
        `"${keyword}" is not supported. Remove it and validate the finished text, or express it with other keywords.`,
      );
  const single = alone.find((k) => used.includes(k));
  const others = used.filter(
    (k) => k !== single && !(k === "type" && (single === "enum" || single === "const")),
  );
  if (single && others.length)
    fail(
      at,
      `"${others[0]}" beside "${single}" is not supported. Move it into the schema that "${single}" refers to.`,
    );
  for (const [keyword, { is, must }] of Object.entries(forms))
    if (schema[keyword] !== undefined && !is(schema[keyword]))
      fail(at, `"${keyword}" is ${JSON.stringify(schema[keyword]).slice(0, 100)}; it must be ${must}.`);
}

const list = { is: Array.isArray, must: "an array" };
/** The forms of values that are read without a further check. */
const forms: {
  readonly [keyword: string]: { readonly is: (value: unknown) => boolean; readonly must: string };
} = {
  enum: list,
  prefixItems: list,
  properties: {
    is: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
    must: "an object of schemas",
  },
  required: {
    is: (value) => Array.isArray(value) && value.every((name) => typeof name === "string"),
    must: "an array of names",
  },
};

/** The types of a schema: the named ones, or those of its keywords; undefined if it has neither. */
export function typesOf(schema: SchemaObject, at: string): readonly Type[] | undefined {
  if (schema.type !== undefined) {
    const types = [schema.type].flat() as Type[];
    for (const type of types)
      if (typeof type !== "string" || !Object.hasOwn(about, type))
        fail(at, `unknown type ${JSON.stringify(type)}.`);
    return types;
  }
  const spoken = (Object.keys(about) as Type[]).filter((type) => about[type].some((k) => k in schema));
  return spoken.length ? spoken : undefined;
}

/** A counting keyword. */
export function count(schema: SchemaObject, keyword: string, otherwise: number, at: string): number {
  const value = schema[keyword] ?? otherwise;
  if (value !== Number.POSITIVE_INFINITY && !(Number.isInteger(value) && (value as number) >= 0))
    fail(at, `"${keyword}" is ${JSON.stringify(value)}; it must be an integer of at least 0.`);
  return value as number;
}

/** The bounds of a number. An exclusive bound becomes the next double inside. */
export function interval(schema: SchemaObject, at: string): Interval {
  const bound = (keyword: string): number[] => {
    const value = schema[keyword];
    if (value === undefined) return [];
    return Number.isFinite(value)
      ? [value as number]
      : fail(at, `"${keyword}" is ${JSON.stringify(value)}; it must be a number.`);
  };
  const lows = [...bound("minimum"), ...bound("exclusiveMinimum").map((x) => beside(x, true))];
  const highs = [...bound("maximum"), ...bound("exclusiveMaximum").map((x) => beside(x, false))];
  return {
    ...(lows.length ? { low: Math.max(...lows) } : {}),
    ...(highs.length ? { high: Math.min(...highs) } : {}),
  };
}

/** The JSON Schema type of a value. */
export function typeOf(value: unknown): Type {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value as Type;
}

/** Whether a value can have both types. */
export const overlap = (a: Type, b: Type): boolean =>
  a === b || (a === "integer" && b === "number") || (a === "number" && b === "integer");
