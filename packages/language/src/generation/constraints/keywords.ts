import { fail } from "@reins/core";
import { beside, type Interval } from "./numbers.ts";

/** A JSON Schema (draft 2020-12), parsed. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown };
/** One that is not just true or false. */
export type SchemaObject = Exclude<JsonSchema, boolean>;

/** The types of JSON Schema. */
export type Type = "string" | "number" | "integer" | "boolean" | "null" | "array" | "object";

/** What is said about values of each type. */
const about: { readonly [type in Type]: readonly string[] } = {
  string: ["minLength", "maxLength", "pattern"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
  integer: [],
  boolean: [],
  null: [],
  array: ["items", "prefixItems", "minItems", "maxItems"],
  object: ["properties", "required", "additionalProperties"],
};
/** Of these a schema has one, beside notes; `enum` and `const` go with a type. */
export const alone = ["$ref", "anyOf", "oneOf", "enum", "const"] as const;
/** These say nothing about which values are valid. `format` is a note by the standard. */
const notes =
  "$schema $id $comment $defs definitions title description default examples deprecated readOnly writeOnly format";
const noted = new Set(notes.split(" "));
const known = new Set([...noted, ...alone, "type", ...Object.values(about).flat()]);

/** Refuses what would be overlooked: keywords that are not known here, and those that stand beside others they do not go with. */
export function check(schema: SchemaObject, at: string): void {
  const used = Object.keys(schema).filter((k) => !noted.has(k));
  for (const keyword of used)
    if (!known.has(keyword))
      fail(
        at,
        `"${keyword}" is not supported. Leave it away and check the finished text, or say it in other words.`,
      );
  const single = alone.find((k) => used.includes(k));
  const others = used.filter(
    (k) => k !== single && !(k === "type" && (single === "enum" || single === "const")),
  );
  if (single && others.length)
    fail(at, `"${others[0]}" beside "${single}" is not supported. Put it into what "${single}" names.`);
}

/** The types that a schema is about: those it names, or those that its keywords speak of; undefined if it speaks of none. */
export function typesOf(schema: SchemaObject, at: string): readonly Type[] | undefined {
  if (schema.type !== undefined) {
    const types = [schema.type].flat() as Type[];
    for (const type of types)
      if (!Object.hasOwn(about, type)) fail(at, `there is no type ${JSON.stringify(type)}.`);
    return types;
  }
  const spoken = (Object.keys(about) as Type[]).filter((type) => about[type].some((k) => k in schema));
  return spoken.length ? spoken : undefined;
}

/** A keyword that counts something. */
export function count(schema: SchemaObject, keyword: string, otherwise: number, at: string): number {
  const value = schema[keyword] ?? otherwise;
  if (value !== Number.POSITIVE_INFINITY && !(Number.isInteger(value) && (value as number) >= 0))
    fail(at, `"${keyword}" is ${JSON.stringify(value)}; it must be a whole number from 0 up.`);
  return value as number;
}

/** The bounds of a number. A bound that does not belong to it becomes the double beside it, which does. */
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

/** The type of a value, in the words of JSON Schema. */
export function typeOf(value: unknown): Type {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value as Type;
}

/** Whether values of one type can be of the other. */
export const overlap = (a: Type, b: Type): boolean =>
  a === b || (a === "integer" && b === "number") || (a === "number" && b === "integer");
