import * as constraints from "../generation/constraints/index.ts";
import type { Constraint } from "../generation/sequence.ts";
import type { Tokenizer } from "../tokenizers/tokenizer.ts";
import type { CallFormat } from "../tools/call-format.ts";
import { ApiError, refuse } from "./api-error.ts";
import type { ChatRequest } from "./chat-request.ts";
import type { ConstraintCache } from "./constraint-cache.ts";

/** Maximum nesting depth, as in `constraints.schema`. */
const depth = 4;

/** Maximum repeat count of a schema: characters of a string, items of an array. */
const mostRepeats = 4096;

/** Maximum characters of a schema as JSON. */
const longestSchema = 2 ** 17;

/** The constraint of a request's schema or required tool calls, compiled once. */
export function constraintOf(
  request: ChatRequest,
  format: CallFormat,
  { tokenizer, cache }: { readonly tokenizer: Tokenizer; readonly cache: ConstraintCache },
): Constraint | undefined {
  const { schema, tools, choice } = request;
  const calls = callsRestricted(request);
  if (schema === undefined && !calls) return undefined;
  const asked = calls ? { schema, choice, tools } : schema;
  const key = JSON.stringify(asked, (name, value) => {
    if (/^(min|max)(Length|Items)$/.test(name) && value > mostRepeats)
      refuse("response_format", `${name} is ${value}; the maximum is ${mostRepeats}.`);
    return value;
  });
  if (key.length > longestSchema)
    refuse("response_format", `The schema has ${key.length} characters; the maximum is ${longestSchema}.`);
  try {
    return cache.of(key, () =>
      calls
        ? callConstraint(request, format, tokenizer)
        : constraints.schema(schema as constraints.JsonSchema, tokenizer),
    );
  } catch (error) {
    if (error instanceof ApiError) throw error;
    return refuse("response_format", (error as Error).message);
  }
}

/** Whether a reply must be a tool call, or may be one instead of JSON by a schema. */
const callsRestricted = ({ tools, choice, schema }: ChatRequest): boolean =>
  tools.length > 0 && (choice !== "auto" || schema !== undefined);

/** Allows one call of the tools that `tool_choice` requires; if it requires none, also JSON by the request's schema. */
function callConstraint(
  { tools, choice, schema }: ChatRequest,
  format: CallFormat,
  tokenizer: Tokenizer,
): Constraint {
  const param = choice === "auto" ? "response_format" : "tool_choice";
  if (!format.grammar)
    return refuse(
      param,
      `${param} needs a call format with a grammar, which this model's format lacks. Leave it out.`,
    );
  const named = typeof choice === "object" ? tools.filter((t) => t.name === choice.name) : tools;
  try {
    const calls = format.grammar(named);
    const tree =
      choice === "auto" && schema
        ? constraints.either(calls, constraints.schemaTree(schema as constraints.JsonSchema))
        : calls;
    return constraints.grammar(tree, tokenizer, { depth });
  } catch (error) {
    return refuse(param, (error as Error).message);
  }
}
