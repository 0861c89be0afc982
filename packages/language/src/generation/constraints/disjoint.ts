import { Automaton } from "./automaton.ts";
import { interval, type JsonSchema, overlap, type SchemaObject, type Type, typeOf } from "./keywords.ts";
import { dead } from "./product.ts";
import type { References } from "./references.ts";
import { stringTree } from "./strings.ts";
import { both, eitherOf, type Tree, text } from "./tree.ts";
import type { Work } from "./work.ts";

const types: readonly Type[] = ["string", "number", "boolean", "null", "array", "object"];
/** Maximum depth of compared members; deeper ones count as overlapping. */
const deepest = 6;

/** Cost of comparing two schemas, in steps. */
const comparisonSteps = 20;

/** Whether no value can satisfy both schemas. */
export function disjoint(
  a: JsonSchema,
  b: JsonSchema,
  references: References,
  at: string,
  depth = 0,
): boolean {
  const { work } = references;
  work.spend(comparisonSteps);
  const [left, right] = [references.resolve(a, at), references.resolve(b, at)];
  if (left === false || right === false) return true;
  if (left === true || right === true || depth > deepest) return false;
  const apart = (x: JsonSchema, y: JsonSchema) => disjoint(x, y, references, at, depth + 1);
  for (const [one, other] of [
    [left, right],
    [right, left],
  ]) {
    const options = (one.anyOf ?? one.oneOf) as JsonSchema[] | undefined;
    if (options) return options.every((option) => apart(option, other));
  }
  const [values, others] = [valuesOf(left), valuesOf(right)];
  if (values && others) {
    work.spend(values.length + others.length);
    const known = new Set(values.map(sorted));
    return !others.some((value) => known.has(sorted(value)));
  }
  return possible(left).every((t) =>
    possible(right).every((u) => !overlap(t, u) || differ(left, right, t, { apart, at, work })),
  );
}

function differ(
  a: SchemaObject,
  b: SchemaObject,
  type: Type,
  { apart, at, work }: { apart: (a: JsonSchema, b: JsonSchema) => boolean; at: string; work: Work },
): boolean {
  switch (type) {
    case "string":
      return new Automaton(both(stringsOf(a, at), stringsOf(b, at)), { work }).start === dead;
    case "number":
    case "integer": {
      const [x, y] = [rangeOf(a, at), rangeOf(b, at)];
      return x.high < y.low || y.high < x.low;
    }
    case "object":
      return lacks(a, b) || lacks(b, a) || shared(a, b).some(([x, y]) => apart(x, y));
    default:
      return false;
  }
}

/** Whether one closed object excludes a member that the other requires. */
function lacks(closed: SchemaObject, other: SchemaObject): boolean {
  const names = Object.keys((closed.properties as object | undefined) ?? {});
  return closed.additionalProperties === false && requiredOf(other).some((name) => !names.includes(name));
}

/** The schemas of members that both require. */
function shared(a: SchemaObject, b: SchemaObject): [JsonSchema, JsonSchema][] {
  const of = (schema: SchemaObject, name: string): JsonSchema => {
    const properties = (schema.properties ?? {}) as { [name: string]: JsonSchema };
    return Object.hasOwn(properties, name) ? properties[name] : true;
  };
  const names = requiredOf(b);
  return requiredOf(a)
    .filter((name) => names.includes(name))
    .map((name) => [of(a, name), of(b, name)]);
}

const requiredOf = (schema: SchemaObject): readonly string[] => (schema.required ?? []) as string[];

const valuesOf = (schema: SchemaObject): readonly unknown[] | undefined =>
  "const" in schema ? [schema.const] : (schema.enum as unknown[] | undefined);

const possible = (schema: SchemaObject): readonly Type[] =>
  valuesOf(schema)?.map(typeOf) ?? (schema.type === undefined ? types : ([schema.type].flat() as Type[]));

function stringsOf(schema: SchemaObject, at: string): Tree {
  const strings = valuesOf(schema)?.filter((v) => typeof v === "string");
  return strings ? eitherOf(strings.map((v) => text(JSON.stringify(v)))) : stringTree(schema, at);
}

function rangeOf(schema: SchemaObject, at: string): { low: number; high: number } {
  const numbers = valuesOf(schema)?.filter((v): v is number => typeof v === "number");
  if (numbers)
    return {
      low: numbers.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY),
      high: numbers.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY),
    };
  const { low = Number.NEGATIVE_INFINITY, high = Number.POSITIVE_INFINITY } = interval(schema, at);
  return { low, high };
}

/** JSON with sorted keys, so that equal values are equal texts. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, v: unknown) =>
    typeof v === "object" && v !== null && !Array.isArray(v)
      ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1)))
      : v,
  );
}
