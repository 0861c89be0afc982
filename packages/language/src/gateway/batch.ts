import { ReinsError } from "@reins/core";
import { stream } from "@reins/core/random";
import { ApiError } from "./api-error.ts";
import { type ChatRequest, chatRequest } from "./chat-request.ts";
import { finishOf, toolCallsOf } from "./chat-response.ts";
import { completionRequests } from "./completions-request.ts";
import type { Engine } from "./engine.ts";
import type { Reply } from "./reply.ts";
import { chatFields, completionFields } from "./request-fields.ts";
import { isObject, type Json } from "./request-options.ts";
import { Session } from "./session.ts";

/** Settings of requests that have none of their own. */
export interface BatchOptions {
  /** Samples replies (default: greedy). */
  readonly sample?: boolean;
  /** Seed of sampling (default 0). Each request has its own stream. */
  readonly seed?: number;
  /** Fields of the API for all requests: `temperature`, `top_p`, `max_tokens`. */
  readonly fields?: Json;
  /** System message of conversations that have none. */
  readonly system?: string;
}

/** The reply to one request of a batch, or why there is none. */
export interface BatchReply {
  /** The request's fields. */
  readonly asked: Json;
  readonly reply?: object;
  readonly error?: string;
}

/**
 * The request of one line: `messages` are a conversation, `prompt` is a text that is continued without a chat template.
 * Fields of the API apply to the line; others are labels.
 */
export function batchRequest(
  line: unknown,
  index: number,
  engine: Engine,
  options: BatchOptions,
): ChatRequest {
  if (!isObject(line)) throw new ApiError(400, "the line is not a JSON object.");
  const { fields = {}, seed = 0, system } = options;
  const messages = line.messages ?? (Array.isArray(line.prompt) ? line.prompt : undefined);
  if (messages === undefined && typeof line.prompt !== "string")
    throw new ApiError(400, 'the line has neither "messages" nor "prompt".');
  const { honoured } = messages === undefined ? completionFields : chatFields;
  const own = Object.entries(line).filter(([name]) => honoured.includes(name) && !controls.includes(name));
  const body = {
    ...fields,
    ...Object.fromEntries(own),
    seed: line.seed ?? stream(seed, "line", index),
    model: engine.model,
  };
  if (messages === undefined) return completionRequests({ ...body, prompt: line.prompt })[0];
  const { prompt: _, ...rest } = body as Json;
  return chatRequest({ ...rest, messages: withSystem(messages, system) });
}

/** Fields that the batch sets itself. */
const controls = ["model", "stream", "stream_options", "n", "prompt"];

function withSystem(messages: unknown, system: string | undefined): unknown {
  if (system === undefined || !Array.isArray(messages)) return messages;
  const first: unknown = messages[0];
  const has = isObject(first) && (first.role === "system" || first.role === "developer");
  return has ? messages : [{ role: "system", content: system }, ...messages];
}

/**
 * Replies to requests in their order, as many at a time as the model has rows. A reply depends only on its own request,
 * to the last bit.
 */
export async function* batchReplies(
  engine: Engine,
  requests: AsyncIterable<readonly [request: ChatRequest, asked: Json]>,
  { sample = false, seed = 0 }: BatchOptions = {},
): AsyncGenerator<BatchReply> {
  const running: Promise<BatchReply>[] = [];
  const one = async (request: ChatRequest, asked: Json): Promise<BatchReply> => {
    // A session of its own: what others were answered must not matter.
    const session = new Session("batch", { seed, greedy: !sample, passing: true });
    try {
      const { replies } = await engine.replies(session, request);
      return { asked, reply: replyFields(replies[0]) };
    } catch (error) {
      if (error instanceof ApiError || error instanceof ReinsError) return { asked, error: error.message };
      throw error;
    } finally {
      engine.leave(session);
    }
  };
  for await (const [request, asked] of requests) {
    const next = one(request, asked);
    // It is awaited later; until then a failure is not unhandled.
    next.catch(() => {});
    running.push(next);
    // Twice the rows: short replies free their rows before the first one is written.
    if (running.length >= 2 * engine.rows) yield await running.shift()!;
  }
  for (const next of running) yield await next;
}

const replyFields = (reply: Reply) => ({
  completion: reply.content,
  ...(reply.calls.length ? { tool_calls: toolCallsOf(reply.calls) } : {}),
  finish_reason: finishOf(reply),
  tokens: reply.text.tokens.length,
});
