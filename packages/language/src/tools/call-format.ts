import type { Tree } from "../generation/constraints/index.ts";
import { endOfString, nestedDeeper } from "../json-depth.ts";
import type { Call } from "../tokenizers/message.ts";
import { taggedCalls } from "./call-grammar.ts";
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
      let from = 0;
      let plain = -1;
      for (;;) {
        const start = text.indexOf(open, from);
        content += text.slice(from, start < 0 ? text.length : start);
        if (start < 0) break;
        if (plain < start) plain = indexAfter(text, close, start);
        const end = closingTag(text, start + open.length, { open, close, plain });
        const body = text.slice(start + open.length, end < 0 ? text.length : end);
        const read = end < 0 ? `a call has no ${close}` : readCall(body, calls.length);
        if (typeof read === "string") malformed ??= read;
        else calls.push(read);
        // Calls may follow one that was never closed.
        from = end < 0 ? text.indexOf(open, start + open.length) : end + close.length;
        if (from < 0) break;
      }
      return { content: content.trim(), calls, ...(malformed === undefined ? {} : { malformed }) };
    },
    write: (call) => `${open}\n${JSON.stringify({ name: call.name, arguments: call.arguments })}\n${close}`,
    grammar: (tools) => taggedCalls(tools, open, close),
    describe: (tools) =>
      `You may call tools. They are:\n${tools.map(({ name, about, parameters }) => JSON.stringify({ name, description: about, parameters })).join("\n")}\nWrite a call as ${open}{"name": …, "arguments": {…}}${close}.`,
  };
}

/**
 * Where the tag that closes a call begins; -1 if the call is not closed. Tags in JSON strings are data, since arguments may be about tool
 * calls. If the text up to the tag outside of strings is not a call, quotes may be missing, and the first tag closes it.
 */
function closingTag(
  text: string,
  from: number,
  { open, close, plain }: { open: string; close: string; plain: number },
): number {
  if (plain === text.length) return -1;
  const next = indexAfter(text, open, from);
  for (let i = from; i < text.length && !(i >= next && text.startsWith(open, i)); i++) {
    if (i >= plain && text.startsWith(close, i)) {
      if (i === plain || typeof readCall(text.slice(from, i), 0) !== "string") return i;
      break;
    }
    if (text[i] === '"') i = endOfString(text, i);
  }
  return next < plain ? -1 : plain;
}

/** Where a part of a text begins; the text's length if it is not there. */
function indexAfter(text: string, part: string, from: number): number {
  const at = text.indexOf(part, from);
  return at < 0 ? text.length : at;
}

/** Maximum nesting depth of arguments: tools and transcripts walk them. */
export const deepest = 128;

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
