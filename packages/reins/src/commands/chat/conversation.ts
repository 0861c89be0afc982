import type { gateway, Message } from "@reins/language";

/** What a conversation in the terminal needs. */
export interface ChatOptions {
  readonly engine: gateway.Engine;
  readonly session: gateway.Session;
  readonly system?: string;
  /** Fields of the API: `temperature`, `max_tokens`. */
  readonly fields?: { readonly [name: string]: unknown };
  /** Makes a request from its fields. */
  request(body: object): gateway.ChatRequest;
  /** The streamed text of a growing reply. */
  stream(): { more(text: { readonly tokens: readonly number[] }): string; rest(text: string): string };
}

/** A conversation: messages in turn, and a reply that is written as it grows. */
export class ChatConversation {
  private readonly options: ChatOptions;
  private messages: Message[] = [];
  system: string | undefined;

  constructor(options: ChatOptions) {
    this.options = options;
    this.system = options.system;
  }

  /** Forgets all messages but the system message. */
  clear(): void {
    this.messages = [];
  }

  /** The reply to a message. If it is cancelled, the message is taken back. */
  async say(content: string, write: (piece: string) => void, signal?: AbortSignal): Promise<void> {
    const { engine, session, fields, request, stream } = this.options;
    const messages: Message[] = [...this.messages, { role: "user", content }];
    const system = this.system === undefined ? [] : [{ role: "system", content: this.system }];
    const text = stream();
    const { replies } = await engine.replies(
      session,
      request({ ...fields, model: engine.model, messages: [...system, ...messages] }),
      { signal, seen: (_, reply) => write(text.more(reply)) },
    );
    const [reply] = replies;
    write(text.rest(reply.content));
    this.messages = [...messages, { role: "assistant", content: reply.content }];
  }
}
