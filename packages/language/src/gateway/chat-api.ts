import { type Answer, jsonAnswer } from "./answer.ts";
import { chatRequest } from "./chat-request.ts";
import { completion, event, finishOf, logprobsOf, toolCallsOf, usageOf } from "./chat-response.ts";
import { eventStream } from "./event-stream.ts";
import type { Gateway } from "./gateway.ts";
import type { Session } from "./session.ts";
import { paced } from "./stream-pace.ts";
import { TextStream } from "./text-stream.ts";

/** `POST /v1/chat/completions` */
export async function chatApi(
  gateway: Gateway,
  session: Session,
  body: unknown,
  signal: AbortSignal,
): Promise<Answer> {
  const request = chatRequest(body);
  const engine = gateway.engine(request.model);
  const { tokenizer } = engine.options;
  const { logprobs } = request;
  const about = {
    id: `chatcmpl-${session.calls}-${Math.random().toString(36).slice(2)}`,
    model: engine.model,
    created: Math.floor(Date.now() / 1000),
  };
  if (!request.stream) {
    const { replies, usage } = await engine.replies(session, request, { signal });
    return jsonAnswer(completion(about, replies, usage, { logprobs, tokenizer }));
  }
  return eventStream(signal, async (send) => {
    const chunk = (index: number, delta: object, more: object = {}) =>
      send(
        event({
          ...about,
          object: "chat.completion.chunk",
          choices: [{ index, delta, logprobs: null, finish_reason: null, ...more }],
          ...(request.usage ? { usage: null } : {}),
        }),
      );
    const streams = Array.from({ length: request.n }, () => new TextStream(tokenizer, request.stop));
    for (let i = 0; i < request.n; i++) chunk(i, { role: "assistant", content: "" });
    // With tools, whether a reply is text or a call is known only at its end.
    const words = request.tools.length === 0;
    const sentLength = streams.map(() => 0);
    const { seen, end } = paced(
      () => engine.counters.active,
      (index, text) => {
        const piece = words ? streams[index].more(text) : "";
        if (piece) chunk(index, { content: piece }, fresh(index, text));
      },
    );
    const { replies, usage } = await engine.replies(session, request, { signal, seen }).finally(end);
    function fresh(index: number, text: Parameters<typeof logprobsOf>[0]): object {
      if (!request.logprobs) return {};
      const logprobs = logprobsOf(text, tokenizer, sentLength[index]);
      sentLength[index] = text.tokens.length;
      return { logprobs };
    }
    replies.forEach((reply, index) => {
      const rest = streams[index].rest(reply.content);
      const left = fresh(index, reply.text);
      if (rest || (logprobs && sentLength[index])) chunk(index, rest ? { content: rest } : {}, left);
      toolCallsOf(reply.calls).forEach((call, i) => chunk(index, { tool_calls: [{ index: i, ...call }] }));
      chunk(index, {}, { finish_reason: finishOf(reply) });
    });
    if (request.usage)
      send(event({ ...about, object: "chat.completion.chunk", choices: [], usage: usageOf(usage) }));
    send(event("[DONE]"));
  });
}
