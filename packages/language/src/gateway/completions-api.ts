import { type Answer, jsonAnswer } from "./answer.ts";
import { event, finishOf, usageOf } from "./chat-response.ts";
import { completionRequests } from "./completions-request.ts";
import { eventStream } from "./event-stream.ts";
import type { Gateway } from "./gateway.ts";
import type { Reply, Usage } from "./reply.ts";
import type { Session } from "./session.ts";
import { paced } from "./stream-pace.ts";
import { TextStream } from "./text-stream.ts";

/** `POST /v1/completions`: continues texts without a chat template. */
export async function completionsApi(
  gateway: Gateway,
  session: Session,
  body: unknown,
  signal: AbortSignal,
): Promise<Answer> {
  const requests = completionRequests(body);
  const [{ model, n, logprobs, stop, stream, usage: usageWanted }] = requests;
  const engine = gateway.engine(model);
  const { tokenizer } = engine.options;
  const about = {
    id: `cmpl-${session.calls}-${Math.random().toString(36).slice(2)}`,
    object: "text_completion",
    created: Math.floor(Date.now() / 1000),
    model: engine.model,
  };
  const choice = (index: number, text: string, reply?: Reply) => ({
    index,
    text,
    logprobs: reply && logprobs ? logprobsOf(reply) : null,
    finish_reason: reply ? finishOf(reply) : null,
  });
  /** Log-probabilities of the sampled tokens, and where each begins in the text. */
  function logprobsOf({ text: { tokens, logProb } }: Reply) {
    const texts = tokens.map((t) => tokenizer.textOf(t));
    let offset = 0;
    const offsets = texts.map((t) => {
      const at = offset;
      offset += t.length;
      return at;
    });
    return { tokens: texts, token_logprobs: logProb, top_logprobs: null, text_offset: offsets };
  }
  const all = (more: (prompt: number) => Parameters<typeof engine.replies>[2]) =>
    Promise.all(requests.map((request, i) => engine.replies(session, request, more(i))));
  if (!stream) {
    const answers = await all(() => ({ signal }));
    const choices = answers.flatMap(({ replies }, i) =>
      replies.map((reply, j) => choice(i * n + j, reply.content, reply)),
    );
    return jsonAnswer({ ...about, choices, usage: usageOf(total(answers.map((a) => a.usage))) });
  }
  return eventStream(signal, async (send) => {
    const streams = Array.from({ length: n * requests.length }, () => new TextStream(tokenizer, stop));
    const { seen, end } = paced(
      () => engine.counters.active,
      (index, text) => {
        const piece = streams[index].more(text);
        if (piece) send(event({ ...about, choices: [choice(index, piece)] }));
      },
    );
    const answers = await all((prompt) => ({
      signal,
      seen: (reply, text) => seen(prompt * n + reply, text),
    })).finally(end);
    answers.forEach(({ replies }, i) => {
      replies.forEach((reply, j) => {
        const index = i * n + j;
        send(event({ ...about, choices: [choice(index, streams[index].rest(reply.content), reply)] }));
      });
    });
    if (usageWanted)
      send(event({ ...about, choices: [], usage: usageOf(total(answers.map((a) => a.usage))) }));
    send(event("[DONE]"));
  });
}

const total = (all: readonly Usage[]): Usage =>
  all.reduce((sum, u) => ({
    prompt: sum.prompt + u.prompt,
    cached: sum.cached + u.cached,
    completion: sum.completion + u.completion,
  }));
