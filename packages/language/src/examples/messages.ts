import { fail } from "@reins/core";
import { describeValue } from "@reins/core/errors";
import { type Call, type Message, roles } from "../tokenizers/message.ts";

/** Fields of turns that are not rendered: without them the model would learn another turn, often an empty one. */
const unrendered = ["function_call", "reasoning_content", "reasoning", "thinking"];

/** The turns of a conversation, as the OpenAI API has them. `field` and `at` name them in errors. */
export function messagesIn(turns: unknown, at: string, field: string): readonly Message[] {
  if (!Array.isArray(turns) || turns.length === 0)
    return fail(
      at,
      `${field} is ${describeValue(turns)}; it must be an array of turns: {"role": "user", "content": "…"}.`,
    );
  return turns.map((turn, i) => messageIn(turn, at, `${field}[${i}]`));
}

function messageIn(turn: unknown, at: string, field: string): Message {
  if (typeof turn !== "object" || turn === null)
    return fail(
      at,
      `${field} is ${describeValue(turn)}; it must be a turn: {"role": "user", "content": "…"}.`,
    );
  const given = turn as { readonly [name: string]: unknown };
  const role = roles.find((r) => r === given.role);
  if (role === undefined)
    return fail(
      at,
      `the role of ${field} is ${describeValue(given.role)}; it must be one of ${roles.join(", ")}.`,
    );
  const lost = unrendered.find((name) => isPresent(given[name]));
  if (lost !== undefined)
    fail(
      at,
      `${field}, a turn with role ${role}, has ${lost}, which is not supported. Write it into content, as the model should spell it.`,
    );
  // Turns of a prompt are not learned anyway.
  const { weight = null } = given;
  if (role === "assistant" && weight !== null && weight !== 1 && !field.startsWith("prompt"))
    fail(
      at,
      `${field} has weight ${describeValue(weight)}, which is not supported: every assistant turn is learned. Write the turns that are not learned as "prompt", and the others as "completion".`,
    );
  const calls = callsIn(given.tool_calls, at, `${field}.tool_calls`);
  if (calls && role !== "assistant")
    fail(at, `${field} has tool_calls, but its role is ${role}. Only the assistant calls tools.`);
  const { tool_call_id: call, name } = given;
  return {
    role,
    content: contentIn(given.content, at, field, role, calls !== undefined),
    ...(calls ? { calls, apart: true } : {}),
    ...(typeof call === "string" ? { call } : {}),
    ...(typeof name === "string" ? { name } : {}),
  };
}

/** The text of a turn: a string, or a list of text parts. A turn that only calls tools has none. */
function contentIn(content: unknown, at: string, field: string, role: string, isCall: boolean): string {
  if (typeof content === "string") return content;
  if ((content === null || content === undefined) && isCall) return "";
  if (Array.isArray(content))
    return content
      .map((part) =>
        part?.type === "text" && typeof part.text === "string"
          ? part.text
          : fail(
              at,
              `${field} has a part of type ${describeValue(part?.type)}; only text is supported in data files. Remove the part.`,
            ),
      )
      .join("");
  return fail(
    at,
    `the content of ${field}, a turn with role ${role}, is ${describeValue(content)}; it must be a string.`,
  );
}

function callsIn(calls: unknown, at: string, field: string): readonly Call[] | undefined {
  if (!isPresent(calls)) return undefined;
  if (!Array.isArray(calls))
    return fail(at, `${field} is ${describeValue(calls)}; it must be an array of calls.`);
  return calls.map((call, i) => {
    const { name, arguments: given } = call?.function ?? call ?? {};
    if (typeof name !== "string" || name === "")
      fail(
        at,
        `${field}[${i}] has no function name. Example: {"id": "1", "type": "function", "function": {"name": "add", "arguments": {"a": 1}}}.`,
      );
    return { id: typeof call.id === "string" ? call.id : String(i), name, arguments: argumentsIn(given) };
  });
}

/** Arguments as an object: chat templates write them as JSON themselves. */
function argumentsIn(given: unknown): unknown {
  if (typeof given !== "string") return given ?? {};
  try {
    return JSON.parse(given);
  } catch {
    // The API passes on what a model wrote, which may be invalid JSON.
    return given;
  }
}

/** The column `tools`: descriptions of tools, or their JSON, as tables store them. */
export function toolsIn(given: unknown, at: string): readonly object[] | undefined {
  let tools = given;
  if (typeof tools === "string")
    try {
      tools = tools.trim() === "" ? undefined : JSON.parse(tools);
    } catch {
      fail(at, "tools is a string that is not JSON. Write an array of tool descriptions.");
    }
  if (!isPresent(tools)) return undefined;
  if (!Array.isArray(tools))
    return fail(at, `tools is ${describeValue(given)}; it must be an array of tool descriptions.`);
  const odd = tools.findIndex((t) => typeof (t?.function ?? t)?.name !== "string");
  if (odd >= 0)
    fail(
      at,
      `tools[${odd}] has no name. Example: {"type": "function", "function": {"name": "add", "parameters": {"type": "object"}}}.`,
    );
  return tools.map((t) => (t.function ? t : { type: "function", function: t }));
}

const isPresent = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : Boolean(value));
