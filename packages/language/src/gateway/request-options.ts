import { leastTemperature, type RequestSampling } from "../generation/sampling.ts";
import type { Tool } from "../tools/tool.ts";
import { refuse } from "./api-error.ts";

/** A JSON object. */
export type Json = { readonly [name: string]: unknown };
/** Whether a value is a JSON object. */
export const isObject = (x: unknown): x is Json => typeof x === "object" && x !== null && !Array.isArray(x);

/** An id in a conversation. */
export function idIn(value: unknown, param: string): string {
  if (typeof value === "object" && value !== null) refuse(param, "An id must be a string.");
  return `${value}`;
}

/** The requested model. */
export function modelIn({ model }: Json): string {
  return typeof model === "string" ? model : refuse("model", "You must provide a model parameter.");
}

/** An integer field of a body; undefined where absent. */
export function wholeIn(
  body: Json,
  name: string,
  least: number,
  most = Number.MAX_SAFE_INTEGER,
): number | undefined {
  const value = body[name];
  if (value === undefined || value === null) return undefined;
  if (!Number.isSafeInteger(value) || (value as number) < least || (value as number) > most)
    refuse(
      name,
      `${name} must be an integer ${most < Number.MAX_SAFE_INTEGER ? `from ${least} to ${most}` : `of at least ${least}`}.`,
    );
  return value as number;
}

/** Whether a flag is set; values other than true, false and null are rejected. */
export function isOn(body: Json, name: string): boolean {
  const { [name]: value = false } = body;
  if (value !== null && typeof value !== "boolean") refuse(name, `${name} must be true or false.`);
  return value === true;
}

/** The maximum tokens of a reply, for which the chat API has two names. */
export function limitIn(body: Json): number | undefined {
  const [now, before] = ["max_completion_tokens", "max_tokens"].map((name) => wholeIn(body, name, 1));
  if (now !== undefined && before !== undefined && now !== before)
    refuse(
      "max_tokens",
      `max_tokens is ${before} and max_completion_tokens ${now}. Set only max_completion_tokens.`,
    );
  return now ?? before;
}

/** Temperature and top_p of a request. */
export function samplingIn(body: Json): RequestSampling {
  const temperature = numberIn(body, "temperature", 0, 2, "0 is greedy.");
  if (temperature !== undefined && temperature > 0 && temperature < leastTemperature)
    refuse("temperature", `temperature must be 0, which is greedy, or at least ${leastTemperature}.`);
  const topP = numberIn(body, "top_p", 1e-6, 1, "For greedy replies set temperature to 0.");
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
  };
}

function numberIn(body: Json, name: string, least: number, most: number, hint: string): number | undefined {
  const { [name]: value } = body;
  if (value === undefined || value === null) return undefined;
  return typeof value === "number" && value >= least && value <= most
    ? value
    : refuse(name, `${name} must be a number from ${least} to ${most}. ${hint}`);
}

/** Which tool a reply must call: any of them, a named one, or none. */
export type ToolChoice = "auto" | "required" | { readonly name: string };

/** The `tool_choice` of a request, checked together with `parallel_tool_calls`. */
export function toolChoiceIn(body: Json, tools: readonly Tool<never, never>[]): ToolChoice {
  const choice = choiceOf(body.tool_choice, tools);
  const { parallel_tool_calls: parallel = true } = body;
  if (parallel !== null && typeof parallel !== "boolean")
    refuse("parallel_tool_calls", "parallel_tool_calls must be true or false.");
  if (parallel === false && tools.length && choice === "auto")
    refuse(
      "parallel_tool_calls",
      'A reply may call several tools unless tool_choice is "required" or names a function, which makes it one call. Set tool_choice, or leave parallel_tool_calls out.',
    );
  return choice;
}

function choiceOf(given: unknown, tools: readonly Tool<never, never>[]): ToolChoice {
  if (given === undefined || given === null || given === "auto" || given === "none") return "auto";
  const names = tools.map((t) => t.name);
  if (given === "required")
    return names.length ? given : refuse("tool_choice", 'tool_choice is "required", but tools is empty.');
  const { type, function: of, name = (isObject(of) ? of : {}).name } = (isObject(given) ? given : {}) as Json;
  if (type !== "function" || typeof name !== "string")
    return refuse(
      "tool_choice",
      'tool_choice must be "none", "auto", "required", or {"type": "function"} with the name of a function.',
    );
  if (!names.includes(name))
    refuse(
      "tool_choice",
      `tool_choice names ${JSON.stringify(name)}, which is not among the tools: ${names.join(", ")}.`,
    );
  return { name };
}
