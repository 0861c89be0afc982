/** Who may speak in a conversation. */
export const roles = ["system", "user", "assistant", "tool"] as const;

/** A tool that the assistant wants to use, with arguments that nobody has checked yet. */
export interface Call {
  /** By which its answer says what it answers. */
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
}

/** One turn of a conversation. */
export interface Message {
  readonly role: (typeof roles)[number];
  readonly content: string;
  /** What the assistant calls. Where a model wrote the turn, its words are in `content` too. */
  readonly calls?: readonly Call[];
  /** Of a tool: the call that it answers, by its id. */
  readonly call?: string;
  /** Of a tool: its name. Of a turn in a conversation of several roles: whose it is, where it is not the model's. */
  readonly name?: string;
}

/** A conversation in plain words, for models without a chat template. With `reply`, it ends where the model is to go on. */
export const transcript = (messages: readonly Message[], reply = true): string =>
  messages.map(({ role, content }) => `${role}: ${content}\n`).join("") + (reply ? "assistant: " : "");
