import * as constraints from "../generation/constraints/index.ts";
import type { Constraint } from "../generation/sequence.ts";
import type { Tokenizer } from "../tokenizers/tokenizer.ts";
import type { CallFormat } from "../tools/call-format.ts";
import { refuse } from "./api-error.ts";
import type { ChatRequest } from "./chat-request.ts";

/** Maximum nesting depth, as in `constraints.schema`. */
const depth = 4;

/** Whether a reply must be a tool call, or may be one instead of JSON by a schema. */
export const callsRestricted = ({ tools, choice, schema }: ChatRequest): boolean =>
  tools.length > 0 && (choice !== "auto" || schema !== undefined);

/** Allows one call of the tools that `tool_choice` requires; if it requires none, also JSON by the request's schema. */
export function callConstraint(
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
