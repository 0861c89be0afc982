import { gateway, newModel, saveCharacters, saveModel } from "@reins/language";
import { random, setBackend } from "@reins/tensor";
import { expect, it, vi } from "vitest";
import { folder } from "../cli/testing.ts";
import { ChatConversation } from "./chat/conversation.ts";

vi.stubEnv("REINS_BACKEND", "wasm");
setBackend("wasm");

async function conversation() {
  const here = folder();
  const alphabet = "abcdefghijklmnopqrstuvwxyz .,?!";
  const shape = {
    layers: 1,
    width: 16,
    heads: 2,
    context: 256,
    vocabulary: alphabet.length + 2,
    deviation: 0.3,
  };
  await saveModel(here, newModel({ ...shape, style: "llama" }, random.key(1)), { end: 1, pad: 0 });
  await saveCharacters(here, alphabet);
  const [options] = await gateway.engineOptions({ folder: here, rows: 1 });
  const engine = new gateway.Engine(options);
  const session = new gateway.Session("chat", { seed: 0, greedy: true, passing: true });
  const chat = new ChatConversation({
    ...{ engine, session, fields: { max_tokens: 12 } },
    request: gateway.chatRequest,
    stream: () => new gateway.TextStream(options.tokenizer, []),
  });
  const say = async (text: string, signal?: AbortSignal) => {
    const pieces: string[] = [];
    await chat.say(text, (piece) => pieces.push(piece), signal);
    return pieces;
  };
  return { chat, say, session };
}

it("streams replies, continues the conversation, and forgets it", async () => {
  const { chat, say, session } = await conversation();
  const first = await say("hello");
  expect(first.filter((p) => p !== "").length).toBeGreaterThan(3);
  await say("and?");
  // Both turns are one segment: the second continues the first one's tokens.
  expect(session.tree.segments).toHaveLength(1);
  chat.clear();
  expect((await say("hello")).join("")).toBe(first.join(""));
  chat.system = "be kind.";
  await say("hello");
  expect(session.tree.last.map((m) => m.role)).toEqual([
    "system",
    ...Array(2).fill(["user", "assistant"]).flat(),
  ]);
});

it("takes a message back whose reply was stopped", async () => {
  const { say, session } = await conversation();
  const stop = new AbortController();
  stop.abort(new Error("stopped"));
  await expect(say("hello", stop.signal)).rejects.toThrow("stopped");
  expect(session.tree.replies).toBe(0);
  expect((await say("hello")).join("").length).toBeGreaterThan(0);
});
