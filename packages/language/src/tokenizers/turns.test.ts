import { expect, it } from "vitest";
import { characters } from "./characters.ts";
import type { Message } from "./message.ts";
import { byPrefixes } from "./turns.ts";

const tokenizer = characters("abcdefghijklmnopqrstuvwxyz0123456789: \n");
const conversation = (turns: number): Message[] =>
  Array.from({ length: turns }, (_, i) => ({ role: i % 2 ? "assistant" : "user", content: `turn ${i}` }));

it("renders a conversation once for each assistant turn, and twice as a whole", () => {
  let rendered = 0;
  const render = (messages: readonly Message[], reply: boolean) => {
    rendered++;
    return messages.map((m) => `${m.role}: ${m.content}\n`).join("") + (reply ? "assistant: " : "");
  };
  const pieces = byPrefixes(conversation(40), render, tokenizer);
  expect(rendered).toBe(22);
  expect(pieces.filter((p) => p.by === "teacher").map((p) => p.text)).toEqual(
    Array.from({ length: 20 }, (_, i) => `turn ${2 * i + 1}`),
  );
});

it("finds turns where a template looks into earlier ones", () => {
  // Without what precedes a colon, except in the last turn.
  const render = (messages: readonly Message[], reply: boolean) =>
    messages
      .map((m, i) => `${m.role}: ${i === messages.length - 1 ? m.content : m.content.replace(/^.*:/, "")}\n`)
      .join("") + (reply ? "assistant: " : "");
  const messages: Message[] = [
    { role: "user", content: "a" },
    { role: "assistant", content: "b" },
    { role: "user", content: "c" },
    { role: "assistant", content: "why:d" },
  ];
  expect(byPrefixes(messages, render, tokenizer).map((p) => p.text)).toEqual([
    "user: a\nassistant: ",
    "b",
    "\nuser: c\nassistant: ",
    "why:d",
  ]);
});
