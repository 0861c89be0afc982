import type { Message } from "../tokenizers/message.ts";
import type { Conversed } from "./conversation-episode.ts";

const marks: { readonly [role in Message["role"]]: string } = {
  system: "# ",
  user: "> ",
  assistant: "",
  tool: "< ",
};

/** What was said since a problem was put, a line for each turn, for people: `>` is said to whoever speaks next, `<` is what a tool answers; others than the model are named. */
export function talkText({ messages, opening }: Pick<Conversed, "messages" | "opening">): string {
  return messages
    .slice(opening)
    .map(
      ({ role, content, name }) => marks[role] + (role === "assistant" && name ? `${name}: ` : "") + content,
    )
    .join("\n");
}
