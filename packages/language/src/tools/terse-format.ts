import { nestedDeeper } from "../json-depth.ts";
import type { Call } from "../tokenizers/message.ts";
import { type CallFormat, deepest } from "./call-format.ts";
import { terseCalls } from "./call-grammar.ts";
import type { ToolSchema } from "./schema-types.ts";

/**
 * A short format for small models: `name(argument)` on its own line. Arguments are JSON separated by commas, in the
 * order of the tool's properties; if they are not valid JSON, or a single value where the first argument is a string,
 * everything between the parentheses is the first argument.
 */
export const terse: CallFormat = {
  parse(text, tools) {
    if (tools.length === 0) return { content: text.trim(), calls: [] };
    const calls: Call[] = [];
    const words: string[] = [];
    for (const line of text.split("\n")) {
      const [, name, inner] = /^\s*([A-Za-z_][\w.-]*)\((.*)\)\s*$/.exec(line) ?? [];
      const tool = tools.find((t) => t.name === name);
      if (tool) calls.push({ id: `call-${calls.length}`, name, arguments: inOrder(inner, tool.parameters) });
      else words.push(line);
    }
    return { content: words.join("\n").trim(), calls };
  },
  grammar: terseCalls,
  write({ name, arguments: args }) {
    const values = Object.values(args as object);
    const [only] = values;
    return `${name}(${values.length === 1 && typeof only !== "object" ? only : values.map((v) => JSON.stringify(v)).join(",")})`;
  },
};

function inOrder(inner: string, { properties = {} }: Partial<ToolSchema>): object {
  const names = Object.keys(properties);
  if (names.length === 0) return {};
  const schema = properties[names[0]];
  if (names.length === 1 && isText(schema)) return { [names[0]]: inner };
  const values = listOf(inner);
  // A single argument needs no quotes, so text may look like a number.
  const own = names.length === 1 || values.length === 1 ? [asSchema(schema, values[0], inner)] : values;
  return Object.fromEntries(own.slice(0, names.length).map((v, i) => [names[i], v]));
}

type Kinds = { readonly type?: string | readonly string[]; readonly enum?: readonly unknown[] };

/** Whether a schema allows any text. */
const isText = (schema: object): boolean =>
  (schema as Kinds).type === "string" && (schema as Kinds).enum === undefined;

/** The value, unless only its text is of the schema's type. */
const asSchema = (schema: Kinds, value: unknown, text: string): unknown =>
  !fits(schema, value) && fits(schema, text) ? text : value;

/** Whether the type and the choices of a schema allow a value. */
function fits({ type, enum: choices }: Kinds, value: unknown): boolean {
  if (choices) return choices.includes(value);
  if (type === undefined) return true;
  const kind = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  const kinds = [type].flat();
  return kinds.includes(kind) || (kinds.includes("integer") && Number.isInteger(value));
}

function listOf(inner: string): unknown[] {
  if (nestedDeeper(inner, deepest)) return [inner];
  try {
    return JSON.parse(`[${inner}]`) as unknown[];
  } catch {
    return [inner];
  }
}
