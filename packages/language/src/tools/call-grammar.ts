import {
  either,
  expression,
  type JsonSchema,
  optional,
  schemaTree,
  sequence,
  type Tree,
  text,
} from "../generation/constraints/index.ts";
import type { Tool } from "./tool.ts";

const blank = optional(text(" "));
/** JSON with an optional blank after colons and commas, as many chat models write it. */
const json = (schema: object): Tree => schemaTree(schema as JsonSchema, { blanks: true });

/** One call of one of the tools as JSON with `name` and `arguments`, between `open` and `close`. */
export const taggedCalls = (tools: readonly Tool<never, never>[], open: string, close: string): Tree =>
  sequence(
    text(`${open}\n`),
    either(
      ...tools.map(({ name, parameters }) =>
        sequence(
          text('{"name":'),
          blank,
          text(`${JSON.stringify(name)},`),
          blank,
          text('"arguments":'),
          blank,
          json(parameters),
          text("}"),
        ),
      ),
    ),
    text(`\n${close}`),
  );

/** One call of one of the tools as `name(arguments)`, with all arguments in the order of the tool's properties. */
export const terseCalls = (tools: readonly Tool<never, never>[]): Tree =>
  either(
    ...tools.map(({ name, parameters: { properties = {} } }) =>
      sequence(text(`${name}(`), terseArguments(Object.values(properties)), text(")")),
    ),
  );

function terseArguments(schemas: readonly object[]): Tree {
  const [only] = schemas as readonly { readonly type?: string; readonly enum?: unknown }[];
  // A single string needs no quotes, unless its schema restricts it further.
  if (schemas.length === 1 && only.type === "string" && only.enum === undefined) return expression("[^\\n]*");
  return sequence(...schemas.flatMap((schema, i) => [...(i ? [text(",")] : []), json(schema)]));
}
