/** Who may speak in a conversation. */
export const roles = ["system", "user", "assistant", "tool"] as const;

/** One turn of a conversation. */
export interface Message {
  readonly role: (typeof roles)[number];
  readonly content: string;
}

/** A conversation in plain words, for models without a chat template. With `reply`, it ends where the model is to go on. */
export const transcript = (messages: readonly Message[], reply = true): string =>
  messages.map(({ role, content }) => `${role}: ${content}\n`).join("") + (reply ? "assistant: " : "");
