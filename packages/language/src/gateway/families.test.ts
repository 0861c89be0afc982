import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { loadAdapters } from "../models/adapters.ts";
import { loadModel } from "../models/folder.ts";
import { Gateway } from "./gateway.ts";
import { handler } from "./handler.ts";
import { idTokenizer } from "./testing.ts";

const root = process.env.REINS_FIXTURES ?? fileURLToPath(new URL("../../../../fixtures", import.meta.url));
const own = fileURLToPath(new URL("../../fixtures/peft", import.meta.url));
const folders = (at: string) =>
  readdirSync(at, { withFileTypes: true }).flatMap((e) => (e.isDirectory() ? [e.name] : []));

const ask = async (gateway: Gateway, body: object) => {
  const response = await handler(gateway)(
    new Request("http://localhost/v1/chat/completions", {
      method: "POST",
      headers: { authorization: "Bearer key" },
      body: JSON.stringify(body),
    }),
  );
  const { choices, error } = await response.json();
  return error ? error.message : choices[0].message.content;
};

it("gives the greedy continuations of transformers, for every family, from one server", async () => {
  const names = folders(join(root, "hf"));
  expect(names.length).toBeGreaterThan(10);
  const served = await Promise.all(
    names.map(async (model) => {
      const start = await loadModel(join(root, "hf", model));
      return { start, tokenizer: idTokenizer(start.options.vocabulary), rows: 2, model };
    }),
  );
  const gateway = new Gateway(...served);
  gateway.open("key", { greedy: true, passing: true });
  for (const model of names) {
    const expected = JSON.parse(readFileSync(join(root, "hf", model, "expected.json"), "utf8"));
    const texts = expected.greedy_from_first_8 as number[][];
    const replies = texts.map((tokens) =>
      ask(gateway, {
        model,
        messages: [{ role: "user", content: tokens.slice(0, 8).join(" ") }],
        max_tokens: tokens.length - 8,
      }),
    );
    const wanted = texts.map((tokens) =>
      tokens
        .slice(8)
        .map((t) => `${t} `)
        .join(""),
    );
    expect([model, await Promise.all(replies)]).toEqual([model, wanted]);
  }
});

it("serves adapters by name, on the weights of one model", async () => {
  const base = await loadModel(join(own, "qwen3"));
  const tokenizer = idTokenizer(base.options.vocabulary);
  const start = await loadAdapters(join(own, "qwen3", "all"), base);
  const gateway = new Gateway(
    { start: base, tokenizer, rows: 2, model: "base" },
    { start, tokenizer, rows: 2, model: "base/all" },
  );
  gateway.open("key", { greedy: true, passing: true });
  const messages = [{ role: "user", content: "3 1 4 1 5" }];
  const reply = (model: string, more: object[] = []) =>
    ask(gateway, { model, messages: [...messages, ...more], max_tokens: 12 });
  const [plain, adapted] = await Promise.all([reply("base"), reply("base/all")]);
  expect(plain).not.toBe(adapted);
  // The models share no history: one continues the other's reply as it would any text.
  const alone = new Gateway({ start, tokenizer, rows: 2, model: "base/all" });
  alone.open("key", { greedy: true, passing: true });
  const more = [
    { role: "assistant", content: plain },
    { role: "user", content: "9" },
  ];
  expect(await reply("base/all", more)).toBe(
    await ask(alone, { model: "base/all", messages: [...messages, ...more], max_tokens: 12 }),
  );
  const models = await handler(gateway)(
    new Request("http://localhost/v1/models", { headers: { authorization: "Bearer key" } }),
  );
  expect((await models.json()).data.map((m: { id: string }) => m.id)).toEqual(["base", "base/all"]);
  expect(await reply("other")).toContain("Use base, base/all.");
  expect(() => new Gateway({ start, tokenizer }, { start, tokenizer })).toThrow("two models have the name");
});
