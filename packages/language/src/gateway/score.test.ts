import { random } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { newModel } from "../models/language-model.ts";
import { rewardHead } from "../models/reward-model.ts";
import { RewardScorer } from "../rewards/reward-scorer.ts";
import { characters } from "../tokenizers/characters.ts";
import { Gateway } from "./gateway.ts";
import { handler } from "./handler.ts";
import { serveModels } from "./serve-models.ts";

const tokenizer = characters("abc: user\nistn");
const shape = {
  layers: 1,
  width: 8,
  heads: 2,
  context: 24,
  vocabulary: tokenizer.size,
  style: "llama",
} as const;
const start = newModel(shape, random.key(1));
const model = rewardHead(start, random.key(2), { padding: tokenizer.pad });
const scorer = new RewardScorer([{ name: "prefers-a", model, tokenizer }]);

const gateway = new Gateway({ start, tokenizer, model: "writer" });
gateway.addScorer({ model: "prefers-a", scorer });
gateway.open("secret");
const answer = handler(gateway);

async function post(body: unknown, path = "score") {
  const response = await answer(
    new Request(`http://localhost/v1/${path}`, {
      method: "POST",
      headers: { authorization: "Bearer secret" },
      body: typeof body === "string" ? body : JSON.stringify(body),
    }),
  );
  return { status: response.status, body: await response.json() };
}

describe("POST /v1/score", () => {
  it("scores completions of a prompt, and each of its own", async () => {
    const [one, two] = scorer.rewards("ab:", ["a", "bb"]);
    const many = await post({ model: "prefers-a", text_1: "ab:", text_2: ["a", "bb"], user: "me" });
    expect(many.status).toBe(200);
    expect(many.body).toMatchObject({
      object: "list",
      model: "prefers-a",
      data: [
        { index: 0, object: "score", score: one },
        { index: 1, object: "score", score: two },
      ],
      usage: { prompt_tokens: 11, total_tokens: 11 },
    });
    const [other] = scorer.rewards("b:", ["bb"]);
    const each = await post({ model: "prefers-a", text_1: ["ab:", "b:"], text_2: ["a", "bb"] });
    expect(each.body.data.map((d: { score: number }) => d.score)).toEqual([one, other]);
    const turns = [{ role: "user", content: "ab" }];
    const spoken = await post({ model: "prefers-a", text_1: turns, text_2: "a" });
    expect(spoken.body.data[0].score).toBe(scorer.rewards([{ role: "user", content: "ab" }], ["a"])[0]);
    // Many texts, in several batches.
    const texts = Array.from({ length: 40 }, (_, i) => "abc"[i % 3].repeat(1 + (i % 9)));
    const all = await post({ model: "prefers-a", text_1: "c:", text_2: texts });
    const expected = scorer.rewards("c:", texts);
    all.body.data.forEach(({ score }: { score: number }, i: number) =>
      expect(score).toBeCloseTo(expected[i], 5),
    );
  });

  it("lets others be served while it reads the texts of a large request", async () => {
    const { encode } = scorer;
    let [read, served] = [0, 0];
    scorer.encode = (...args) => {
      read++;
      return encode.apply(scorer, args);
    };
    let over = false;
    const other = () => {
      if (read > 0 && read < 400) served++;
      if (!over) setImmediate(other);
    };
    other();
    try {
      const found = await post({ model: "prefers-a", text_1: "ab:", text_2: Array(400).fill("c") });
      expect(found.status).toBe(200);
      expect(served).toBeGreaterThan(0);
    } finally {
      over = true;
      scorer.encode = encode;
    }
  });

  it("answers wrong requests as the API does, and goes on", async () => {
    const wrong = async (body: unknown, message: string, status = 400, path?: string) => {
      const found = await post(body, path);
      expect(found.body.error?.message).toContain(message);
      expect(found.status).toBe(status);
    };
    const good = { model: "prefers-a", text_1: "a:", text_2: "b" };
    await wrong("{", "could not parse");
    await wrong([], "The body must be a JSON object");
    await wrong({ ...good, model: undefined }, "model");
    await wrong({ ...good, model: "nothing" }, 'The model "nothing" does not exist. Use prefers-a', 404);
    await wrong({ ...good, model: "writer" }, "writer is a language model, which has no score");
    await wrong({ ...good, text_2: [] }, "text_2 must be a non-empty string");
    await wrong({ ...good, text_2: "" }, "text_2 must be a non-empty string");
    await wrong({ ...good, text_1: 3 }, "text_1 must be a non-empty string");
    await wrong(
      { ...good, text_1: ["a", "b", "c"], text_2: ["a", "b"] },
      "text_1 has 3 prompts, and text_2 2",
    );
    await wrong({ ...good, text_1: [{ role: "judge", content: "a" }] }, "role");
    await wrong({ ...good, text_2: "xyz" }, "is not in the alphabet");
    await wrong(
      { ...good, text_2: "a".repeat(60) },
      "a text has 63 tokens, and the context of the reward model is 24",
    );
    await wrong({ ...good, text_2: Array(3000).fill("a") }, "text_2 has 3000 texts; the maximum is 2048");
    await wrong({ ...good, truncate_prompt_tokens: 5 }, "truncate_prompt_tokens");
    const chat = { model: "prefers-a", messages: [{ role: "user", content: "a" }] };
    await wrong(
      chat,
      "prefers-a is a reward model, which writes no texts. Use /v1/score",
      400,
      "chat/completions",
    );
    expect((await post(good)).status).toBe(200);
    expect(() => gateway.addScorer({ model: "writer", scorer })).toThrow("two models have the name writer");
  });

  it("is served alone, listed and counted", async () => {
    const { baseURL, key, model: name, close } = await serveModels([], {}, [{ model: "alone", scorer }]);
    const headers = { authorization: `Bearer ${key}` };
    const list = await (await fetch(`${baseURL}/models`, { headers })).json();
    expect([name, list.data.map((m: { id: string }) => m.id)]).toEqual(["alone", ["alone"]]);
    const body = JSON.stringify({ model: "alone", text_1: "a:", text_2: "b" });
    const scored = await (await fetch(`${baseURL}/score`, { method: "POST", headers, body })).json();
    expect(scored.data[0].score).toBe(scorer.rewards("a:", ["b"])[0]);
    const metrics = await (await fetch(baseURL.replace("/v1", "/metrics"), { headers })).text();
    expect(metrics).toContain('reins_requests_total{path="/v1/score",status="200"} 1');
    await close();
  });
});
