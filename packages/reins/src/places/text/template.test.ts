import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ServerHandle } from "@reins/core";
import {
  conversationEncoder,
  gateway,
  loadModel,
  loadTokenizer,
  renderingFor,
  textTask,
} from "@reins/language";
import { describe, expect, it, vi } from "vitest";
import { folder } from "../../cli/testing.ts";
import { train } from "../../index.ts";
import { dataSource } from "./data.ts";

vi.stubEnv("REINS_BACKEND", "wasm");

const fixtures = join(
  process.env.REINS_FIXTURES ?? fileURLToPath(new URL("../../../../../fixtures", import.meta.url)),
  "hf",
);
const user = (content: string) => ({ role: "user", content }) as const;
const conversations = Array.from({ length: 12 }, (_, i) => ({
  messages: [user(`${i}+1=`), { role: "assistant", content: `${i + 1}` }],
}));
const completions = Array.from({ length: 12 }, (_, i) => ({ prompt: `${i}+1=`, completion: `${i + 1}` }));

function written(lines: readonly object[]) {
  const at = folder();
  const file = join(at, "examples.jsonl");
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join("\n"));
  return { at, file, saved: join(at, "saved") };
}

/** Tokens of the prompt of a chat completion. */
async function promptTokens({ baseURL, key, model, close }: ServerHandle, content: string): Promise<number> {
  const reply = await fetch(`${baseURL}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model, messages: [user(content)], max_tokens: 2 }),
  });
  const { usage } = (await reply.json()) as { usage: { prompt_tokens: number } };
  await close();
  return usage.prompt_tokens;
}

describe("a model without a chat template", () => {
  it("that is trained on conversations is served and saved with the plain text of its training", async () => {
    const { file, saved } = written(conversations);
    const envOptions = { layers: 1, width: 16, heads: 2 };
    const agent = await train({
      algorithm: "sft",
      env: file,
      envOptions,
      steps: 50,
      evalEpisodes: 0,
      saveModel: saved,
    });
    const expected = "user: 2+1=\nassistant: ".length;
    expect(await promptTokens(await agent.serve(), "2+1=")).toBe(expected);
    const models = await gateway.engineOptions({ folder: saved });
    expect(await promptTokens(await gateway.serveModels(models), "2+1=")).toBe(expected);
  });

  it.each([
    ["one answer", {}],
    ["several turns", { episode: { turns: 2, turn: () => ({ done: true }) } }],
  ])("that was saved trains on a task of %s, without instructions that it cannot read", async (_, more) => {
    const { file, saved } = written(conversations);
    const envOptions = { layers: 1, width: 16, heads: 2 };
    await train({ algorithm: "sft", env: file, envOptions, steps: 50, evalEpisodes: 0, saveModel: saved });
    const task = textTask({
      id: "next",
      about: "Write the next number!",
      levels: 1,
      alphabet: "0123456789+=",
      longest: { prompt: 4, answer: 2, conversation: 8 },
      make: (random) => ({ prompt: `${random.integers(9)}+1=`, answer: "1", data: {} }),
      verify: (_, answer) => ({ score: answer === "1" ? 1 : 0 }),
      ...more,
    });
    const agent = await train({
      algorithm: "grpo",
      env: task,
      envOptions: { folder: saved, maxTokens: 2 },
      settings: { groups: 2, groupSize: 2 },
      steps: 10,
      evalEpisodes: 2,
    });
    expect(agent.return.episodes).toBe(2);
  });

  it("gets none from plain prompts, which are served as they are", async () => {
    const { file, saved } = written(completions);
    mkdirSync(saved);
    // Of a model that was saved here before.
    writeFileSync(join(saved, "chat_template.jinja"), "{{ messages }}");
    const envOptions = { layers: 1, width: 16, heads: 2 };
    const agent = await train({
      algorithm: "sft",
      env: file,
      envOptions,
      steps: 50,
      evalEpisodes: 0,
      saveModel: saved,
    });
    expect(await promptTokens(await agent.serve(), "2+1=")).toBe("2+1=".length);
    expect(existsSync(join(saved, "chat_template.jinja"))).toBe(false);
  });

  it.each([false, true])("from a folder is trained as before; with a begin token: %s", async (begin) => {
    const { at, file, saved } = written(conversations);
    const model = join(at, "model");
    cpSync(join(fixtures, "llama"), model, { recursive: true });
    const tokenizer = JSON.parse(readFileSync(join(fixtures, "tokenizer.json"), "utf8"));
    const [{ id, content }] = tokenizer.added_tokens;
    if (begin)
      tokenizer.post_processor = {
        type: "TemplateProcessing",
        single: [{ SpecialToken: { id: content, type_id: 0 } }, { Sequence: { id: "A", type_id: 0 } }],
        pair: [{ Sequence: { id: "A", type_id: 0 } }, { Sequence: { id: "B", type_id: 1 } }],
        special_tokens: { [content]: { id: content, ids: [id], tokens: [content] } },
      };
    writeFileSync(join(model, "tokenizer.json"), JSON.stringify(tokenizer));
    writeFileSync(join(model, "tokenizer_config.json"), JSON.stringify({ bos_token: content }));
    const source = await dataSource(file, { folder: model });
    await source.saveModel!((await loadModel(model)).params, saved);
    const [before, after] = [await loadTokenizer(model), await loadTokenizer(saved)];
    expect([before.begin !== undefined, before.chatTemplate]).toEqual([begin, undefined]);
    const messages = [user("2+1="), { role: "assistant", content: "3" } as const, user("4+1=")];
    const trained = conversationEncoder(before).encodePrompt(messages);
    expect(renderingFor(after, []).chatFormat.render(messages).tokens).toEqual(trained);
    expect(conversationEncoder(after).encodePrompt(messages)).toEqual(trained);
  });
});
