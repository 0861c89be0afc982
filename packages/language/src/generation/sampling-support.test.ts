import { gpt } from "@reins/nn";
import { compile, random, setBackend, type Tensor, tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { TextGenerator } from "./generator.ts";
import { never, type Sampling, samplingLogits } from "./sampling.ts";
import { packKept, seenSoFar, unpackKept, wordsFor } from "./sampling-support.ts";

setBackend("wasm");

describe("kept sets", () => {
  it.each([1, 5, 32, 33, 64, 70])("round-trip with %i tokens", (size) => {
    const rows = 6;
    const kept = Array.from({ length: rows * size }, (_, i) => (i * i + (i >> 3)) % 3 > 0);
    const logits = tensor(
      Float32Array.from(kept, (k, i) => (k ? Math.sin(i) * 9 : never)),
      { shape: [rows, size] },
    );
    const packed = compile(packKept)(logits);
    expect(packed.shape).toEqual([rows, wordsFor(size)]);
    const out = compile((t: Tensor) => unpackKept(t, size))(
      tensor(packed.data.slice(), { shape: [2, 3, wordsFor(size)], dtype: "i32" }),
    );
    expect(out.shape).toEqual([2, 3, size]);
    expect([...out.data].map(Boolean)).toEqual(kept);
  });

  it("are recorded with each token, only on request", () => {
    const vocabulary = 40;
    const model = gpt({ layers: 1, width: 8, heads: 2, context: 16, vocabulary, deviation: 0.3 });
    const params = model.init(random.key(1));
    const sampling: Sampling = { topK: 5, repetition: 1.3, temperature: 0.9 };
    const how = { model, params, vocabulary, context: 16, end: 1, sampling };
    const request = { prompt: [3, 4], seed: 5, limit: 6 };
    const [text] = new TextGenerator({ ...how, record: true }).generate([request]);
    expect(text.kept!.length).toBe(text.tokens.length);
    text.tokens.forEach((_, t) => {
      const before = [3, 4, ...text.tokens.slice(0, t)];
      const logits = model.apply(params, tensor([before], { dtype: "i32" })).data.slice(-vocabulary);
      const seen = Uint8Array.from({ length: vocabulary }, (_, v) => (before.includes(v) ? 1 : 0));
      const wanted = samplingLogits(tensor(logits, { shape: [1, vocabulary] }), sampling, {
        seen: tensor(seen, { shape: [1, vocabulary], dtype: "bool" }),
      });
      expect([...packKept(wanted).data]).toEqual([...text.kept![t]!]);
    });
    expect("kept" in new TextGenerator(how).generate([request])[0]).toBe(false);
  });
});

it("a token is seen from its first occurrence on", () => {
  const texts = [
    [2, 0, 2, 3],
    [1, 1, 0, 1],
  ];
  const seen = compile((t: Tensor) => seenSoFar(t, 5))(tensor(texts, { dtype: "i32" })).data;
  texts.forEach((tokens, b) => {
    tokens.forEach((_, t) => {
      const row = [...seen.slice((b * 4 + t) * 5, (b * 4 + t + 1) * 5)];
      expect(row).toEqual([0, 1, 2, 3, 4].map((v) => (tokens.slice(0, t + 1).includes(v) ? 1 : 0)));
    });
  });
});
