import type { Generated } from "../generation/sequence.ts";
import type { Call, Message } from "../tokenizers/message.ts";
import type { Tokenizer } from "../tokenizers/tokenizer.ts";
import type { CallFormat } from "../tools/call-format.ts";
import type { ChatRequest } from "./chat-request.ts";

/** A sampled reply and its parsed contents. */
export interface Reply {
  readonly text: Generated;
  readonly content: string;
  readonly calls: readonly Call[];
}

/** Token counts of a request. */
export interface Usage {
  readonly prompt: number;
  readonly cached: number;
  readonly completion: number;
}

/** The text and tool calls of a reply. A stop string ends the reply and is not part of it. */
export function readReply(
  text: Generated,
  { tools, stop }: Pick<ChatRequest, "tools" | "stop">,
  { tokenizer, format, id }: { tokenizer: Tokenizer; format: CallFormat; id: string },
): Reply {
  let words = tokenizer.decode(text.tokens);
  const ends = stop.map((s) => words.indexOf(s)).filter((at) => at >= 0);
  if (ends.length) words = words.slice(0, Math.min(...ends));
  if (!tools.length || text.ended === "limit") return { text, content: words, calls: [] };
  const { content, calls } = format.parse(words, tools);
  return { text, content, calls: calls.map((c, i) => ({ ...c, id: `call_${id}_${i}` })) };
}

/** The message of a reply in a conversation. */
export interface ReplyMessages {
  /** As the model wrote it. */
  readonly own: Message;
  /** As the client received it and will send it back. */
  readonly sent: Message;
  /** Whether a stop string cut off a part of the sampled tokens. */
  readonly cut: boolean;
}

/** The message of a reply as the model wrote it, and as the client received it and will send it back. */
export function messagesOf(
  { text, content, calls }: Reply,
  { stop }: Pick<ChatRequest, "stop">,
  tokenizer: Tokenizer,
): ReplyMessages {
  const more = calls.length ? { calls } : {};
  const sent: Message = { role: "assistant", content, ...more };
  // The client never sees the part that a stop string cut off: it continues from the text that it received.
  const written = tokenizer.decode(text.tokens);
  const own = stop.length ? sent : { ...sent, content: written };
  return { own, sent, cut: stop.some((s) => written.includes(s)) };
}
