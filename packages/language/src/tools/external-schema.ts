import { fail } from "@reins/core";
import { stackIsFull } from "../time-limit.ts";
import { argumentCheck } from "./arguments.ts";
import type { ToolSchema } from "./schema-types.ts";

type Json = { readonly [keyword: string]: unknown };
const isObject = (x: unknown): x is Json => typeof x === "object" && x !== null && !Array.isArray(x);

/**
 * The schema of an external tool in draft 2020-12. Most are written in draft 7, which differs in tuples only. An
 * invalid schema is an error now, not in the middle of a conversation.
 */
export async function theirSchema(tool: string, given: unknown): Promise<ToolSchema> {
  if (!isObject(given)) return fail(`tool ${tool}`, "its input schema is not a JSON Schema object.");
  // The draft's address is not resolved, and two tools may have the same id.
  const { $schema: _, $id: __, ...rest } = shallow(tool, () => withTuples(given)) as Json;
  if (rest.type !== undefined && rest.type !== "object")
    fail(`tool ${tool}`, `its input has type ${JSON.stringify(rest.type)}; it must be "object".`);
  const parameters: ToolSchema = {
    ...rest,
    type: "object",
    properties: (isObject(rest.properties) ? rest.properties : {}) as ToolSchema["properties"],
  };
  await argumentCheck(parameters).catch((error: Error) =>
    fail(`tool ${tool}`, `its schema is invalid: ${error.message}`),
  );
  return parameters;
}

/** The result of work on a schema that may be nested deeper than the stack. */
function shallow<T>(tool: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!stackIsFull(error)) throw error;
    return fail(`tool ${tool}`, "its schema is nested too deeply. Flatten it, or leave the tool out.");
  }
}

/** Keywords whose values are data, or schemas by name, in which `items` is an ordinary name. */
const data = new Set(["const", "enum", "default", "examples"]);
const named = new Set(["properties", "patternProperties", "definitions", "$defs", "dependentSchemas"]);

/** Tuples in the form of draft 2020-12. */
function withTuples(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withTuples);
  if (!isObject(schema)) return schema;
  const out: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (data.has(keyword)) out[keyword] = value;
    else if (named.has(keyword) && isObject(value))
      out[keyword] = Object.fromEntries(Object.entries(value).map(([name, s]) => [name, withTuples(s)]));
    else out[keyword] = withTuples(value);
  }
  if (!Array.isArray(out.items)) return out;
  const { items, additionalItems, ...others } = out;
  return {
    ...others,
    // Draft 2020-12 has no empty tuples.
    ...((items as unknown[]).length ? { prefixItems: items } : {}),
    ...(additionalItems === undefined ? {} : { items: additionalItems }),
  };
}
