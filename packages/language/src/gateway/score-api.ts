import type { ExampleText } from "../examples/example.ts";
import { messagesIn } from "../examples/messages.ts";
import { yieldToEventLoop } from "../generation/event-loop.ts";
import type { RewardText } from "../rewards/reward-scorer.ts";
import { type Answer, jsonAnswer } from "./answer.ts";
import { ApiError, refuse } from "./api-error.ts";
import type { Gateway } from "./gateway.ts";
import { checkFields, scoreFields } from "./request-fields.ts";
import { isObject, modelIn } from "./request-options.ts";
import type { Session } from "./session.ts";

/** Maximum number of texts of a request, and texts between which the server can answer others. */
const [most, chunk] = [2048, 16];

/**
 * `POST /v1/score`, as in vLLM: the rewards of completions (`text_2`) of prompts (`text_1`). One prompt may have many
 * completions; otherwise both have the same number.
 */
export async function scoreApi(
  gateway: Gateway,
  _session: Session,
  body: unknown,
  signal: AbortSignal,
): Promise<Answer> {
  if (!isObject(body)) return refuse("body", "The body must be a JSON object.");
  checkFields(body, scoreFields);
  const { model, scorer } = gateway.scorer(modelIn(body));
  const completions = textsIn(body.text_2, "text_2");
  const prompts = isConversation(body.text_1)
    ? [conversationIn(body.text_1)]
    : textsIn(body.text_1, "text_1");
  if (prompts.length !== 1 && prompts.length !== completions.length)
    refuse(
      "text_1",
      `text_1 has ${prompts.length} prompts, and text_2 ${completions.length} completions. Send one prompt, or one for each completion.`,
    );
  const pause = async () => {
    await yieldToEventLoop();
    if (signal.aborted) throw new ApiError(499, "The client disconnected.");
  };
  const texts: RewardText[] = [];
  for (const [i, text] of completions.entries()) {
    texts.push(scorer.encode(prompts[prompts.length === 1 ? 0 : i], text));
    if (texts.length % chunk === 0) await pause();
  }
  const scores: number[] = [];
  for (let at = 0; at < texts.length; at += chunk) {
    scores.push(...scorer.score(texts.slice(at, at + chunk)).map(({ reward }) => reward));
    await pause();
  }
  const tokens = texts.reduce((sum, [first]) => sum + first.length, 0);
  return jsonAnswer({
    id: `score-${crypto.randomUUID()}`,
    object: "list",
    created: Math.floor(Date.now() / 1000),
    model,
    data: scores.map((score, index) => ({ index, object: "score", score })),
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  });
}

/** One text or several. */
function textsIn(given: unknown, param: string): readonly string[] {
  const all = typeof given === "string" ? [given] : given;
  if (!Array.isArray(all) || all.length === 0 || !all.every((text) => typeof text === "string" && text))
    return refuse(param, `${param} must be a non-empty string, or a non-empty array of them.`);
  return all.length > most ? refuse(param, `${param} has ${all.length} texts; the maximum is ${most}.`) : all;
}

const isConversation = (given: unknown): boolean => Array.isArray(given) && isObject(given[0]);

/** The turns of a prompt. */
const conversationIn = (given: unknown): ExampleText => messagesIn(given, "text_1", "text_1");
