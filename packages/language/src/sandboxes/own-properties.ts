import type { Ajv2020 } from "ajv/dist/2020.js";
import { type Json, same, written } from "./json.ts";
import { countedWords } from "./schema-steps.ts";

/**
 * JSON may use names that every JavaScript object inherits, such as `toString` or `__proto__`. Ajv treats some of
 * them as inherited or ignores them; these functions make it see only own properties.
 */
type Schema = Record<string, Json>;

/** Ajv compares values with a function that calls their `toString` and `valueOf`. */
export function compareOwn(ajv: Ajv2020): void {
  for (const keyword of ["const", "enum", "uniqueItems"]) ajv.removeKeyword(keyword);
  ajv.addKeyword({
    keyword: "const",
    errors: false,
    validate: (value: Json, data: Json) => same(value, data),
  });
  ajv.addKeyword({
    keyword: "enum",
    schemaType: "array",
    errors: false,
    validate: (values: Json[], data: Json) => values.some((value) => same(value, data)),
  });
  ajv.addKeyword({
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    errors: false,
    validate: (unique: boolean, data: Json[]) => !unique || new Set(data.map(written)).size === data.length,
  });
}

/** Ajv's generated code looks up evaluated properties and anchors in objects that inherit; replace them. */
export const inheritNothing = (code: string): string =>
  code.replace(/\b(props\d+ = (?:props\d+ \|\| )?|dynamicAnchors ?= ?)\{\}/g, "$1Object.create(null)");

/** Text that {@link inheritNothing} must not find outside of Ajv's own code. */
const itsWords = /\b(?:props\d+|dynamicAnchors) ?=/;

/** Why a schema could be confused with Ajv's generated code, if so. Takes the whole schema, as text and parsed. */
export function unclear(text: string, root: Json): string | undefined {
  if (itsWords.test(text) || countedWords.test(text)) return "A schema may not name Ajv's variables.";
  const all = [root];
  for (let next = all.pop(); next !== undefined; next = all.pop()) {
    if (typeof next !== "object" || next === null) continue;
    const { $ref, dependencies } = next as Schema;
    if (typeof $ref === "string" && $ref.startsWith("#/") && !leads(root, $ref))
      return `${$ref} leads nowhere.`;
    if (typeof dependencies === "object" && dependencies !== null && Object.hasOwn(dependencies, "__proto__"))
      return "Write dependentRequired or dependentSchemas for dependencies.";
    for (const [key, value] of Object.entries(next)) if (!data.has(key)) all.push(value);
  }
  return undefined;
}

/** Whether a reference resolves within the schema's own properties. */
function leads(root: Json, reference: string): boolean {
  let at: Json = root;
  for (const part of reference.slice(2).split("/")) {
    const name = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) return false;
    at = (at as Schema)[name];
  }
  return true;
}

/** Keywords whose values are data, and those whose values are schemas by name. */
const data = new Set(["const", "enum", "default", "examples"]);
const named = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);

/** The schema with `__proto__` expressed as a pattern, since Ajv ignores the name. */
export function withoutProto(schema: Json): Json {
  if (typeof schema !== "object" || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(withoutProto);
  // From entries, since assigning to `__proto__` creates no property.
  const out = mapped(schema, (value, key) => {
    if (data.has(key)) return value;
    const byName = named.has(key) && typeof value === "object" && value !== null && !Array.isArray(value);
    return byName ? mapped(value, withoutProto) : withoutProto(value);
  });
  const patterns = { ...(out.patternProperties as Schema) };
  const say = (pattern: string, keyword: string) => {
    const said = Object.getOwnPropertyDescriptor(out[keyword] ?? {}, "__proto__");
    if (said) patterns[pattern] = { allOf: [said.value, patterns[pattern] ?? true] };
    return said !== undefined;
  };
  const moved = [say("^__proto__$", "properties"), say("(?:__proto__)", "patternProperties")];
  return moved.includes(true) ? { ...out, patternProperties: patterns } : out;
}

const mapped = (of: Schema, change: (value: Json, key: string) => Json): Schema =>
  Object.fromEntries(Object.entries(of).map(([key, value]) => [key, change(value, key)]));
