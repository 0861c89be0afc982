import { fail } from "@reins/core";
import { theirSchema } from "./external-schema.ts";
import { type Tool, tool } from "./tool.ts";

/** The used part of an AI SDK tool: `tool({ description, inputSchema, execute })` of the package `ai`. */
export interface AiTool {
  readonly description?: unknown;
  readonly inputSchema?: unknown;
  readonly needsApproval?: unknown;
  // Methods, so that any types of input and output fit.
  execute?(input: never, options: never): unknown;
  toModelOutput?(options: never): unknown;
}

/** Settings of {@link aiTools}. */
export interface AiToolsOptions {
  /** Milliseconds that a call may take (default 10,000). */
  readonly timeout?: number;
  /**
   * Returns the JSON Schema of an input schema that has none itself: `(s) => asSchema(s).jsonSchema`, with `asSchema`
   * of `ai`.
   */
  toJsonSchema?(schema: unknown): unknown;
}

/**
 * Tools of the AI SDK, unchanged: the object that `generateText` takes. Input schemas may be from Zod 4,
 * `jsonSchema()`, or any library with Standard JSON Schema; `execute` gets the parsed arguments, including defaults.
 */
export function aiTools(
  set: { readonly [name: string]: AiTool },
  { timeout, toJsonSchema }: AiToolsOptions = {},
): Promise<Tool[]> {
  return Promise.all(
    Object.entries(set).map(async ([name, one]) => {
      const { description, execute, needsApproval, toModelOutput } = one;
      if (!execute)
        return fail(`tool ${name}`, "it has no execute function. Only tools with execute can be run.");
      if (needsApproval)
        fail(`tool ${name}`, "it needs approval, which training cannot give. Remove needsApproval.");
      const schema = readable(one.inputSchema);
      const parameters = await theirSchema(name, await jsonOf(name, schema, toJsonSchema));
      return tool<object>({
        name,
        about: typeof description === "string" ? description : "",
        parameters,
        ...(timeout === undefined ? {} : { timeout }),
        async run(args, { signal }) {
          const input = await validated(schema, args);
          const toolCallId = crypto.randomUUID();
          const more = { toolCallId, messages: [], abortSignal: signal };
          const output = await lastOf(execute.call(one, input as never, more as never));
          if (!toModelOutput) return output;
          return shown(
            (await toModelOutput.call(one, { toolCallId, input, output } as never)) as ModelOutput,
          );
        },
      });
    }),
  );
}

/** A schema of the SDK, or of a library that follows the standard. */
interface Readable {
  readonly jsonSchema?: unknown;
  validate?(value: unknown): Promise<Validated> | Validated;
  readonly "~standard"?: {
    readonly vendor: string;
    validate(value: unknown): Promise<Standard> | Standard;
    readonly jsonSchema?: { input(options: { target: string }): unknown };
  };
}
type Validated = { readonly success: true; readonly value: unknown } | { success: false; error: Error };
interface Standard {
  readonly value?: unknown;
  readonly issues?: readonly {
    readonly message: string;
    readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[];
  }[];
}

/** Schemas may be lazy: a function that returns one. Schemas of some libraries are functions too. */
function readable(given: unknown): Readable {
  if (given === undefined || given === null)
    return { jsonSchema: { type: "object", properties: {}, additionalProperties: false } };
  return (typeof given === "function" && !("~standard" in given) ? given() : given) as Readable;
}

async function jsonOf(
  name: string,
  schema: Readable,
  toJsonSchema?: (schema: unknown) => unknown,
): Promise<unknown> {
  if (toJsonSchema) return toJsonSchema(schema);
  const { "~standard": standard } = schema;
  if (!standard) return schema.jsonSchema;
  return (
    standard.jsonSchema?.input({ target: "draft-2020-12" }) ??
    fail(
      `tool ${name}`,
      `this version of ${standard.vendor} does not provide JSON Schemas. Pass a converter: aiTools(set, { toJsonSchema: (s) => asSchema(s).jsonSchema }), with asSchema of "ai".`,
    )
  );
}

/** Arguments for `execute`. Checks what a JSON Schema cannot express. */
async function validated(schema: Readable, args: unknown): Promise<unknown> {
  const { "~standard": standard } = schema;
  if (standard) {
    const { issues, value } = await standard.validate(args);
    if (issues?.length)
      throw new Error(issues.map(({ message, path = [] }) => at(path) + message).join("; "));
    return value;
  }
  const found = await schema.validate?.(args);
  if (!found) return args;
  if (!found.success) throw found.error;
  return found.value;
}

const at = (path: NonNullable<NonNullable<Standard["issues"]>[number]["path"]>) =>
  path.length ? `${path.map((p) => String(typeof p === "object" ? p.key : p)).join(".")}: ` : "";

/** A tool may stream its result: the last value counts. */
async function lastOf(output: unknown): Promise<unknown> {
  if (typeof output !== "object" || output === null || !(Symbol.asyncIterator in output)) return output;
  let last: unknown;
  for await (const one of output as AsyncIterable<unknown>) last = one;
  return last;
}

interface ModelOutput {
  readonly type: string;
  readonly value?: unknown;
  readonly reason?: string;
}

/** The output for the model. */
function shown({ type, value, reason }: ModelOutput): unknown {
  if (type === "execution-denied") throw new Error(reason ?? "execution denied");
  if (type.startsWith("error")) throw new Error(typeof value === "string" ? value : JSON.stringify(value));
  if (type !== "content") return value;
  return (value as readonly { type: string; text?: string; mediaType?: string }[])
    .map((p) => (p.type === "text" ? p.text : `(${p.type}${p.mediaType ? `: ${p.mediaType}` : ""})`))
    .join("\n");
}
