import type { Call, Message } from "../tokenizers/message.ts";
import { type Answer, jsonAnswer } from "./answer.ts";
import { ApiError, refuse } from "./api-error.ts";
import { argumentsOf, type ChatRequest, contentOf, schemaOf, toolsOf } from "./chat-request.ts";
import { event } from "./chat-response.ts";
import { eventStream } from "./event-stream.ts";
import type { Gateway } from "./gateway.ts";
import type { Reply, Usage } from "./reply.ts";
import { checkFields, responsesFields } from "./request-fields.ts";
import {
  idIn,
  isObject,
  isOn,
  type Json,
  modelIn,
  samplingIn,
  toolChoiceIn,
  wholeIn,
} from "./request-options.ts";
import type { Session } from "./session.ts";
import { paced } from "./stream-pace.ts";
import { TextStream } from "./text-stream.ts";

/** Earlier responses of each session, for `previous_response_id`. */
const earlier = new WeakMap<Session, Map<string, readonly Message[]>>();

/** `POST /v1/responses` */
export async function responsesApi(
  gateway: Gateway,
  session: Session,
  body: unknown,
  signal: AbortSignal,
): Promise<Answer> {
  if (!isObject(body)) return refuse("body", "The body must be a JSON object.");
  checkFields(body, responsesFields);
  const { request, conversation } = requestOf(session, body);
  const engine = gateway.engine(request.model);
  const { tokenizer } = engine.options;
  const id = `resp_${session.calls}_${Math.random().toString(36).slice(2)}`;
  const about = { id, object: "response", created_at: Math.floor(Date.now() / 1000), model: engine.model };
  const finish = (reply: Reply, usage: Usage) => {
    const message: Message = {
      role: "assistant",
      content: reply.content,
      ...(reply.calls.length ? { calls: reply.calls } : {}),
    };
    const known = earlier.get(session) ?? new Map<string, readonly Message[]>();
    earlier.set(session, known.set(id, [...conversation, message]));
    // Serving only: keep the latest responses.
    if (session.passing && known.size > 512) known.delete(known.keys().next().value!);
    const cut = reply.text.ended === "limit";
    return {
      ...about,
      status: cut ? "incomplete" : "completed",
      error: null,
      incomplete_details: cut ? { reason: "max_output_tokens" } : null,
      instructions: body.instructions ?? null,
      metadata: body.metadata ?? {},
      parallel_tool_calls: body.parallel_tool_calls ?? true,
      tool_choice: body.tool_choice ?? "auto",
      tools: body.tools ?? [],
      temperature: request.sampling.temperature ?? null,
      top_p: request.sampling.topP ?? null,
      output: outputOf(id, reply),
      usage: {
        input_tokens: usage.prompt,
        input_tokens_details: { cached_tokens: usage.cached },
        output_tokens: usage.completion,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: usage.prompt + usage.completion,
      },
    };
  };
  if (!request.stream) {
    const { replies, usage } = await engine.replies(session, request, { signal });
    return jsonAnswer(finish(replies[0], usage));
  }
  return eventStream(signal, async (send) => {
    let sequence_number = 0;
    const tell = (type: string, more: object) =>
      send(event({ type, sequence_number: sequence_number++, ...more }, type));
    const begun = {
      ...about,
      status: "in_progress",
      error: null,
      incomplete_details: null,
      output: [],
      usage: null,
    };
    tell("response.created", { response: begun });
    tell("response.in_progress", { response: begun });
    const words = request.tools.length === 0;
    const stream = new TextStream(tokenizer, []);
    const item_id = `msg_${id}`;
    const place = { item_id, output_index: 0, content_index: 0 };
    let opened = false;
    const say = (delta: string) => {
      if (!delta) return;
      if (!opened) {
        opened = true;
        const item = { type: "message", id: item_id, role: "assistant", status: "in_progress", content: [] };
        tell("response.output_item.added", { output_index: 0, item });
        tell("response.content_part.added", { ...place, part: textPart("") });
      }
      tell("response.output_text.delta", { ...place, delta, logprobs: [] });
    };
    const { seen, end } = paced(
      () => engine.counters.active,
      (_, text) => {
        if (words) say(stream.more(text));
      },
    );
    const { replies, usage } = await engine.replies(session, request, { signal, seen }).finally(end);
    const [reply] = replies;
    say(stream.rest(reply.content));
    const response = finish(reply, usage);
    response.output.forEach((item, output_index) => {
      if (item.type === "message") {
        const [part] = item.content;
        tell("response.output_text.done", { ...place, text: part.text, logprobs: [] });
        tell("response.content_part.done", { ...place, part });
      } else {
        tell("response.output_item.added", {
          output_index,
          item: { ...item, arguments: "", status: "in_progress" },
        });
        const of = { item_id: item.id, output_index };
        tell("response.function_call_arguments.delta", { ...of, delta: item.arguments });
        tell("response.function_call_arguments.done", { ...of, arguments: item.arguments, name: item.name });
      }
      tell("response.output_item.done", { output_index, item });
    });
    tell(response.status === "completed" ? "response.completed" : "response.incomplete", { response });
  });
}

const textPart = (text: string) => ({ type: "output_text" as const, text, annotations: [], logprobs: [] });

/** Text and tool calls as output items. */
function outputOf(id: string, { content, calls, text }: Reply) {
  const status = text.ended === "limit" ? "incomplete" : "completed";
  const said = {
    type: "message" as const,
    id: `msg_${id}`,
    role: "assistant",
    status,
    content: [textPart(content)],
  };
  return [
    ...(content !== "" || !calls.length ? [said] : []),
    ...calls.map((c) => ({
      type: "function_call" as const,
      id: `fc_${c.id}`,
      call_id: c.id,
      name: c.name,
      arguments: JSON.stringify(c.arguments),
      status: "completed",
    })),
  ];
}

/** The request in the form that both APIs share, and the conversation that it continues. */
function requestOf(session: Session, body: Json): { request: ChatRequest; conversation: readonly Message[] } {
  const before = body.previous_response_id;
  const past =
    before === undefined || before === null
      ? []
      : (earlier.get(session)?.get(idIn(before, "previous_response_id")) ??
        (() => {
          throw new ApiError(404, `Previous response with id ${JSON.stringify(before)} not found.`, {
            code: "previous_response_not_found",
            param: "previous_response_id",
          });
        })());
  const conversation = [...past, ...inputOf(body.input)];
  if (conversation.length === 0) refuse("input", "input must be a string or an array of items.");
  const tools = toolsOf(body.tools, body.tool_choice);
  const { instructions } = body;
  if (instructions !== undefined && instructions !== null && typeof instructions !== "string")
    refuse("instructions", "instructions must be a string.");
  return {
    request: {
      model: modelIn(body),
      messages: [
        ...(typeof instructions === "string" ? [{ role: "system", content: instructions } as const] : []),
        ...conversation,
      ],
      tools,
      choice: toolChoiceIn(body, tools),
      n: 1,
      stop: [],
      limit: wholeIn(body, "max_output_tokens", 1),
      logprobs: false,
      stream: isOn(body, "stream"),
      usage: false,
      sampling: samplingIn(body),
      schema: formatOf(body.text),
    },
    conversation,
  };
}

/** The schema of `text.format`. */
function formatOf(text: unknown): object | undefined {
  if (text === undefined || text === null) return undefined;
  if (!isObject(text)) return refuse("text", "text must be an object.");
  const refused = { verbosity: { neutral: ["medium"], instead: "It is not supported: leave it out." } };
  checkFields(text, { honoured: ["format"], labels: [], refused }, "text.");
  return schemaOf(text.format, "text.format");
}

function inputOf(input: unknown): readonly Message[] {
  if (typeof input === "string") return [{ role: "user", content: input }];
  if (!Array.isArray(input)) return refuse("input", "input must be a string or an array of items.");
  const out: Message[] = [];
  input.forEach((item: unknown, i) => {
    const {
      type = "message",
      role,
      content,
      call_id,
      name,
      arguments: args,
      output,
    } = (isObject(item) ? item : {}) as Json;
    if (type === "function_call") {
      if (typeof name !== "string" || name === "") refuse(`input[${i}].name`, "A call must have a name.");
      const call: Call = {
        id: idIn(call_id, `input[${i}].call_id`),
        name: `${name}`,
        arguments: argumentsOf(args),
      };
      const last = out[out.length - 1];
      // The text and the calls of one turn come back as several items.
      if (last?.role === "assistant") out[out.length - 1] = { ...last, calls: [...(last.calls ?? []), call] };
      else out.push({ role: "assistant", content: "", calls: [call] });
    } else if (type === "function_call_output")
      out.push({
        role: "tool",
        content: contentOf(output, `input[${i}].output`),
        call: idIn(call_id, `input[${i}].call_id`),
      });
    else if (
      type === "message" &&
      typeof role === "string" &&
      /^(user|assistant|system|developer)$/.test(role)
    ) {
      const author = role === "developer" ? "system" : (role as Message["role"]);
      out.push({ role: author, content: contentOf(content, `input[${i}].content`) });
    } else if (type !== "reasoning")
      refuse(`input[${i}]`, `Items of type ${JSON.stringify(type)?.slice(0, 100)} are not supported.`);
  });
  return out;
}
