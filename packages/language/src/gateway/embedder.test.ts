import { random } from "@reins/tensor";
import { expect, it } from "vitest";
import { newModel } from "../models/language-model.ts";
import { characters } from "../tokenizers/characters.ts";
import { Engine } from "./engine.ts";

it("embeds texts up to the context of a model with learned positions", async () => {
  const tokenizer = characters("abc");
  const shape = { layers: 1, width: 16, heads: 2, context: 20, vocabulary: tokenizer.size };
  const start = newModel({ ...shape, style: "gpt2" }, random.key(1));
  const engine = new Engine({ start, tokenizer, model: "m" });
  for (const length of [16, 17, 20]) {
    const { embedding, tokens } = await engine.embed("abc".repeat(9).slice(0, length));
    expect([tokens, embedding.length]).toEqual([length, 16]);
    expect(Math.hypot(...embedding)).toBeCloseTo(1, 5);
  }
});
