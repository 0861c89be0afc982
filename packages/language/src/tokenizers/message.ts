/** Roles of messages. */
export const roles = ["system", "user", "assistant", "tool"] as const;

/** A tool call of the assistant, with unvalidated arguments. */
export interface Call {
  /** Referred to by the tool's result. */
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
}

/** One turn of a conversation. */
export interface Message {
  readonly role: (typeof roles)[number];
  readonly content: string;
  /** Tool calls of the assistant. Where a model wrote the turn, their text is in `content` too. */
  readonly calls?: readonly Call[];
  /** Whether the calls are not in `content`, as in data files: a chat template then writes both. */
  readonly apart?: boolean;
  /** In a tool message: the id of the call that it answers. */
  readonly call?: string;
  /** In a tool message: the tool's name. With several roles: the role of the turn, unless it is the model's. */
  readonly name?: string;
}

/**
 * A conversation as plain text, for models without a chat template. With `reply`, it ends where the model continues.
 */
export const transcript = (messages: readonly Message[], reply = true): string =>
  messages.map(({ role, content }) => `${role}: ${content}\n`).join("") + (reply ? "assistant: " : "");

/** {@link transcript} as a chat template, for a model that was trained on plain text. `begin`: whether texts start with the begin token. */
export const transcriptTemplate = (begin = false): string =>
  `${begin ? "{{ bos_token }}" : ""}{% for message in messages %}{{ message.role + ': ' + message.content + '\\n' }}{% endfor %}{% if add_generation_prompt %}{{ 'assistant: ' }}{% endif %}`;
