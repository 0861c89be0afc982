import { setBackend } from "@reins/tensor";
import OpenAI from "openai";
import { expect, it } from "vitest";
import { loadModel } from "../models/folder.ts";
import { loadTokenizer } from "../tokenizers/hub.ts";
import { servedFolder, tinyFolder } from "./testing.ts";

setBackend("wasm");

const model = "tiny";
const opened = async () => {
  const served = await servedFolder();
  return { served, client: new OpenAI({ baseURL: served.baseURL, apiKey: "secret", maxRetries: 0 }) };
};

it("continues a text and its tokens alike, streamed or not", async () => {
  const { served, client } = await opened();
  const tokenizer = await loadTokenizer(served.folder);
  const common = { model, max_tokens: 12 };
  const one = await client.completions.create({ ...common, prompt: "The cat", logprobs: 0 });
  const [{ text, logprobs, finish_reason }] = one.choices;
  expect(finish_reason).toBe("length");
  expect(one.usage).toMatchObject({
    prompt_tokens: tokenizer.encode("The cat").length,
    completion_tokens: 12,
  });
  expect(logprobs!.tokens).toHaveLength(12);
  expect(logprobs!.token_logprobs!.every((p) => p <= 0)).toBe(true);
  const byTokens = await client.completions.create({ ...common, prompt: tokenizer.encode("The cat") });
  expect(byTokens.choices[0].text).toBe(text);
  let streamed = "";
  for await (const chunk of await client.completions.create({ ...common, prompt: "The cat", stream: true }))
    streamed += chunk.choices[0]?.text ?? "";
  expect(streamed).toBe(text);
  // Without a chat template: another text than the reply to a message.
  const chat = await client.chat.completions.create({
    ...common,
    messages: [{ role: "user", content: "The cat" }],
  });
  expect(chat.choices[0].message.content).not.toBe(text);
});

it("continues several texts, each as it would alone", async () => {
  const { client } = await opened();
  const common = { model, max_tokens: 6, n: 2, temperature: 1, seed: 4 };
  const both = await client.completions.create({ ...common, prompt: ["One", "Two"] });
  expect(both.choices.map((c) => c.index)).toEqual([0, 1, 2, 3]);
  const alone = await client.completions.create({ ...common, prompt: "Two" });
  expect(both.choices.slice(2).map((c) => c.text)).toEqual(alone.choices.map((c) => c.text));
  expect(both.usage!.completion_tokens).toBe(24);
});

it("refuses prompts and fields by name", async () => {
  const { client } = await opened();
  const ask = (more: object) => client.completions.create({ model, prompt: "a", ...more } as never);
  await expect(ask({ prompt: [] })).rejects.toMatchObject({ status: 400, param: "prompt" });
  await expect(ask({ prompt: [1, -1] })).rejects.toMatchObject({ status: 400, param: "prompt" });
  await expect(ask({ prompt: [5000] })).rejects.toThrow("Token 5000 is not in the vocabulary");
  await expect(ask({ prompt: "" })).rejects.toThrow("prompt is empty");
  await expect(ask({ prompt: "a ".repeat(3000) })).rejects.toMatchObject({ code: "context_length_exceeded" });
  await expect(ask({ echo: true })).rejects.toMatchObject({ param: "echo" });
  await expect(ask({ logprobs: 5 })).rejects.toMatchObject({ param: "logprobs" });
  await expect(ask({ best_of: 3 })).rejects.toMatchObject({ param: "best_of" });
});

it("embeds texts: the mean of the last hidden states, of length 1", async () => {
  const { served, client } = await opened();
  const texts = ["The cat sat.", "A much longer text about something else entirely, with many words."];
  // The client asks for base64 by default.
  const { data, usage } = await client.embeddings.create({ model, input: texts });
  const floats = await client.embeddings.create({ model, input: texts, encoding_format: "float" });
  expect(data.map((d) => d.embedding)).toEqual(floats.data.map((d) => d.embedding));
  const tokenizer = await loadTokenizer(served.folder);
  const { model: gpt, params, options } = await loadModel(served.folder);
  const { tensor } = await import("@reins/tensor");
  texts.forEach((text, i) => {
    const tokens = tokenizer.encode(text);
    const hidden = gpt.hidden(params, tensor([tokens], { dtype: "i32" })).data;
    const sums = Array.from({ length: options.width }, (_, d) =>
      tokens.reduce((sum, _, t) => sum + Number(hidden[t * options.width + d]), 0),
    );
    const length = Math.hypot(...sums);
    sums.forEach((s, d) => expect(data[i].embedding[d]).toBeCloseTo(s / length, 4));
  });
  expect(usage.prompt_tokens).toBe(texts.reduce((sum, t) => sum + tokenizer.encode(t).length, 0));
  const ask = (more: object) => client.embeddings.create({ model, input: "a", ...more } as never);
  await expect(ask({ input: [] })).rejects.toMatchObject({ status: 400, param: "input" });
  await expect(ask({ dimensions: 3 })).rejects.toMatchObject({ param: "dimensions" });
  await expect(ask({ input: "a ".repeat(3000) })).rejects.toMatchObject({ code: "context_length_exceeded" });
});

it("does not continue a completion in a conversation that begins with its text", async () => {
  const folder = await tinyFolder({ template: "{% for m in messages %}{{ m.content }}{% endfor %}" });
  const server = async () =>
    new OpenAI({ ...(await servedFolder({ folder })), apiKey: "secret", maxRetries: 0 });
  const [used, fresh] = [await server(), await server()];
  const common = { model, max_tokens: 4 };
  const [{ text }] = (await used.completions.create({ ...common, prompt: "A prompt of another client" }))
    .choices;
  const messages = [
    { role: "assistant", content: text },
    { role: "user", content: " Go on." },
  ] as const;
  const [after, alone] = await Promise.all(
    [used, fresh].map((client) => client.chat.completions.create({ ...common, messages: [...messages] })),
  );
  expect(after.usage!.prompt_tokens).toBe(alone.usage!.prompt_tokens);
  expect(after.choices[0].message.content).toBe(alone.choices[0].message.content);
});
