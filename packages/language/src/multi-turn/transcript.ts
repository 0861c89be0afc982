import type { Message } from "../tokenizers/message.ts";
import type { ConversationResult } from "./conversation-episode.ts";

const marks: { readonly [role in Message["role"]]: string } = {
  system: "# ",
  user: "> ",
  assistant: "",
  tool: "< ",
};

/**
 * A transcript after the opening, one line per turn: `>` is a message to the next role, `<` a tool result; roles
 * other than the model are named.
 */
export function transcript({ messages, opening }: Pick<ConversationResult, "messages" | "opening">): string {
  return messages
    .slice(opening)
    .map(
      ({ role, content, name }) => marks[role] + (role === "assistant" && name ? `${name}: ` : "") + content,
    )
    .join("\n");
}
