import type { RequestSampling } from "../generation/sampling.ts";
import type { Call, Message } from "../tokenizers/message.ts";
import type { ToolSchema } from "../tools/schema-types.ts";
import type { Tool } from "../tools/tool.ts";
import { refuse } from "./api-error.ts";
import { checkNesting } from "./nesting.ts";
import { chatFields, checkFields } from "./request-fields.ts";
import {
  idIn,
  isObject,
  isOn,
  type Json,
  limitIn,
  modelIn,
  samplingIn,
  type ToolChoice,
  toolChoiceIn,
  wholeIn,
} from "./request-options.ts";

/** A client's request, in the form that both APIs share. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly Message[];
  /** Text or tokens to continue without a chat template, instead of messages. */
  readonly prompt?: string | readonly number[];
  readonly tools: readonly Tool<never, never>[];
  readonly choice: ToolChoice;
  /** Number of replies to sample. */
  readonly n: number;
  readonly seed?: number;
  readonly stop: readonly string[];
  /** Maximum tokens of a reply. */
  readonly limit?: number;
  readonly logprobs: boolean;
  readonly stream: boolean;
  /** Whether a stream ends with its usage. */
  readonly usage: boolean;
  readonly sampling: RequestSampling;
  /** A JSON Schema that the reply must satisfy. */
  readonly schema?: object;
}

/** Maximum number of replies, messages, tools and stop strings, and of characters of a stop string. */
const limits = { n: 128, messages: 10_000, tools: 512, stop: 16, stopLength: 256 };

/** Parses the body of a chat completion request. Each field is honoured or rejected by name: see {@link chatFields}. */
export function chatRequest(body: unknown): ChatRequest {
  if (!isObject(body)) return refuse("body", "The body must be a JSON object.");
  checkFields(body, chatFields);
  const model = modelIn(body);
  const { messages } = body;
  if (!Array.isArray(messages) || messages.length === 0)
    return refuse("messages", "messages must be an array with at least one message.");
  if (messages.length > limits.messages)
    refuse("messages", `There are more than ${limits.messages} messages.`);
  const tools = toolsOf(body.tools, body.tool_choice);
  const stream = isOn(body, "stream");
  return {
    model,
    messages: messages.map((m, i) => messageOf(m, `messages[${i}]`)),
    tools,
    choice: toolChoiceIn(body, tools),
    n: wholeIn(body, "n", 1, limits.n) ?? 1,
    seed: wholeIn(body, "seed", Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
    stop: stopsOf(body.stop),
    limit: limitIn(body),
    logprobs: isOn(body, "logprobs"),
    stream,
    usage: usageIn(body.stream_options, stream),
    sampling: samplingIn(body),
    schema: schemaOf(body.response_format, "response_format"),
  };
}

export function usageIn(given: unknown, stream: boolean): boolean {
  if (given === undefined || given === null) return false;
  if (!isObject(given)) return refuse("stream_options", "stream_options must be an object.");
  if (!stream) refuse("stream_options", "stream_options needs stream: true.");
  const refused = {
    include_obfuscation: { neutral: [false], instead: "Streams are not padded: leave it out." },
  };
  checkFields(given, { honoured: ["include_usage"], labels: [], refused }, "stream_options.");
  return isOn(given, "include_usage");
}

export function stopsOf(stop: unknown): readonly string[] {
  if (stop === undefined || stop === null) return [];
  const list = typeof stop === "string" ? [stop] : stop;
  if (!Array.isArray(list) || list.length > limits.stop || !list.every((s) => typeof s === "string"))
    return refuse("stop", `stop must be a string or an array of at most ${limits.stop} strings.`);
  if (list.includes("")) return refuse("stop", "stop must not be empty.");
  if (list.some((s) => s.length > limits.stopLength))
    return refuse("stop", `A stop string has at most ${limits.stopLength} characters.`);
  return list as string[];
}

/** The text of a content: the string itself, or the joined texts of its parts. */
export function contentOf(content: unknown, param: string): string {
  if (content === undefined || content === null) return "";
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return refuse(param, "content must be a string or an array of parts.");
  return content
    .map((part: unknown) => {
      const { type, text } = (isObject(part) ? part : {}) as Json;
      if (typeof text === "string" && typeof type === "string" && /^(input_|output_)?text$/.test(type))
        return text;
      return refuse(
        param,
        `Parts of type ${JSON.stringify(type)?.slice(0, 100)} are not supported. Use text parts.`,
      );
    })
    .join("");
}

function messageOf(given: unknown, param: string): Message {
  if (!isObject(given)) return refuse(param, "A message must be an object.");
  const { role } = given;
  const content = contentOf(given.content, `${param}.content`);
  const name = typeof given.name === "string" ? { name: given.name } : {};
  if (role === "system" || role === "developer") return { role: "system", content, ...name };
  if (role === "user") return { role, content, ...name };
  if (role === "tool")
    return {
      role,
      content,
      ...name,
      ...(typeof given.tool_call_id === "string" ? { call: given.tool_call_id } : {}),
    };
  if (role !== "assistant") return refuse(`${param}.role`, `Unknown role ${JSON.stringify(role)}.`);
  const calls = callsOf(given.tool_calls, `${param}.tool_calls`);
  return { role, content, ...(calls.length ? { calls } : {}) };
}

function callsOf(given: unknown, param: string): readonly Call[] {
  if (given === undefined || given === null) return [];
  if (!Array.isArray(given)) return refuse(param, "tool_calls must be an array.");
  return given.map((call: unknown, i) => {
    const { id, function: of } = (isObject(call) ? call : {}) as Json;
    const { name, arguments: args } = (isObject(of) ? of : {}) as Json;
    if (typeof name !== "string") return refuse(`${param}[${i}]`, "A tool call must name a function.");
    return { id: idIn(id, `${param}[${i}].id`), name, arguments: argumentsOf(args) };
  });
}

/** Arguments arrive as JSON text; invalid JSON stays a string. */
export function argumentsOf(args: unknown): unknown {
  if (typeof args !== "string") return args ?? {};
  checkNesting(args);
  try {
    return JSON.parse(args) as unknown;
  } catch {
    return args;
  }
}

/** A client's tools. The client runs them: here they are only described to the model. */
export function toolsOf(given: unknown, choice?: unknown): readonly Tool<never, never>[] {
  if (given === undefined || given === null || choice === "none") return [];
  if (!Array.isArray(given) || given.length > limits.tools)
    return refuse("tools", `tools must be an array of at most ${limits.tools}.`);
  return given.map((one: unknown, i) => {
    const outer = (isObject(one) ? one : {}) as Json;
    const { type = "function" } = outer;
    if (type !== "function")
      refuse(
        `tools[${i}].type`,
        `A tool of type ${JSON.stringify(type)} is not supported. Use type "function".`,
      );
    // The responses API has the function's fields directly in the tool.
    const of = (isObject(outer.function) ? outer.function : outer) as Json;
    if (typeof of.name !== "string") return refuse(`tools[${i}]`, "A tool must be a function with a name.");
    const parameters = isObject(of.parameters) ? of.parameters : { type: "object", properties: {} };
    const { properties = {} } = parameters;
    if (
      !isObject(properties) ||
      !Object.values(properties).every((p) => isObject(p) || typeof p === "boolean")
    )
      refuse(`tools[${i}]`, "The properties of a tool's parameters must be an object of schemas.");
    return {
      name: of.name,
      about: typeof of.description === "string" ? of.description : "",
      parameters: parameters as ToolSchema,
      run: () => refuse("tools", "Client tools run in the client."),
    };
  });
}

/** The schema of a reply, from `response_format` or the responses API's `text.format`. */
export function schemaOf(given: unknown, param: string): object | undefined {
  if (given === undefined || given === null) return undefined;
  const { type, json_schema: wrapped, schema } = (isObject(given) ? given : {}) as Json;
  if (type === "text") return undefined;
  if (type === "json_object") return { type: "object" };
  const inner = isObject(wrapped) ? wrapped.schema : schema;
  if (type === "json_schema" && isObject(inner)) return inner;
  return refuse(param, "The format must be text, json_object, or json_schema with a schema.");
}
