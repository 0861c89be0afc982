import type { Tree } from "../generation/constraints/index.ts";
import { nestedDeeper } from "../json-depth.ts";
import type { Call } from "../tokenizers/message.ts";
import { taggedCalls, terseCalls } from "./call-grammar.ts";
import type { ToolSchema } from "./schema-types.ts";
import type { Tool } from "./tool.ts";

/** The text and tool calls of a turn. */
export interface ParsedTurn {
  /** Text outside of calls. */
  readonly content: string;
  readonly calls: readonly Call[];
  /** Why something that looks like a call is malformed. */
  readonly malformed?: string;
}

/** The format of tool calls in a model's turns. */
export interface CallFormat {
  parse(text: string, tools: readonly Tool<never, never>[]): ParsedTurn;
  write(call: Pick<Call, "name" | "arguments">): string;
  /** A grammar for exactly one call of one of the tools; the gateway's `tool_choice` needs it. */
  grammar?(tools: readonly Tool<never, never>[]): Tree;
  /** System message that describes the tools, where the chat template does not. */
  describe?(tools: readonly Tool<never, never>[]): string;
}

/** The format of many chat models: JSON with `name` and `arguments` between tags. */
export function tagged(tag = "tool_call"): CallFormat {
  const [open, close] = [`<${tag}>`, `</${tag}>`];
  return {
    parse(text) {
      const calls: Call[] = [];
      let malformed: string | undefined;
      let content = "";
      const [before, ...rest] = text.split(open);
      content += before;
      for (const part of rest) {
        const at = part.indexOf(close);
        const body = at < 0 ? part : part.slice(0, at);
        content += at < 0 ? "" : part.slice(at + close.length);
        const read = at < 0 ? `a call has no ${close}` : readCall(body, calls.length);
        if (typeof read === "string") malformed ??= read;
        else calls.push(read);
      }
      return { content: content.trim(), calls, ...(malformed === undefined ? {} : { malformed }) };
    },
    write: (call) => `${open}\n${JSON.stringify({ name: call.name, arguments: call.arguments })}\n${close}`,
    grammar: (tools) => taggedCalls(tools, open, close),
    describe: (tools) =>
      `You may call tools. They are:\n${tools.map(({ name, about, parameters }) => JSON.stringify({ name, description: about, parameters })).join("\n")}\nWrite a call as ${open}{"name": …, "arguments": {…}}${close}.`,
  };
}

/** Maximum nesting depth of arguments: tools and transcripts walk them. */
const deepest = 128;

function readCall(body: string, index: number): Call | string {
  if (nestedDeeper(body, deepest)) return `a call is nested more than ${deepest} levels deep`;
  try {
    const { name, arguments: args = {} } = JSON.parse(body) as { name?: unknown; arguments?: unknown };
    if (typeof name !== "string") return "a call has no name";
    return { id: `call-${index}`, name, arguments: args };
  } catch {
    return "a call is not JSON";
  }
}

/**
 * A short format for small models: `name(argument)` on its own line. Arguments are JSON separated by commas, in the
 * order of the tool's properties; if they are not valid JSON, everything between the parentheses is the first
 * argument, as a string or number.
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
  const values = names.length === 1 ? [alone(inner, properties[names[0]])] : listOf(inner);
  return Object.fromEntries(values.slice(0, names.length).map((v, i) => [names[i], v]));
}

/** A single argument needs no quotes. */
function alone(inner: string, schema: object): unknown {
  const { type } = schema as { type?: string };
  if (type === "string") return inner;
  return listOf(inner)[0];
}

function listOf(inner: string): unknown[] {
  if (nestedDeeper(inner, deepest)) return [inner];
  try {
    return JSON.parse(`[${inner}]`) as unknown[];
  } catch {
    return [inner];
  }
}
