import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { adam, flattenNames, type GptParams, gpt, type OptimiserState } from "@reins/nn";
import {
  compile,
  logSoftmax,
  random,
  slice,
  sum,
  type Tensor,
  tensor,
  valueAndGradient,
  where,
} from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { type DecodeOptions, decodingRounds, maskedDiffusion } from "./diffusion.ts";
import { loadModel, saveModel } from "./folder.ts";
import { newModel } from "./language-model.ts";

const mask = 7;
const options = {
  layers: 1,
  width: 16,
  heads: 2,
  context: 12,
  vocabulary: 8,
  style: "llama",
  deviation: 0.3,
  mask,
} as const;
const diffusion = maskedDiffusion(options);
const params = diffusion.model.init(random.key(1));
const ints = (values: number[][]) => tensor(values, { dtype: "i32" });

/** Two prompts of different lengths; the second is followed by padding. */
const tokens = ints([
  [1, 2, 3, 0, 0, 0, 0, 0],
  [4, 0, 0, 0, 0, 5, 5, 5],
]);
const order = ints([
  [-1, -1, -1, 1, 1, 1, 1, 1],
  [-1, 1, 1, 1, 1, 0, 0, 0],
]);

/** Log-probabilities at a position of one text, directly from the model. */
function guess(text: number[], at: number): Float32Array {
  const logits = slice(diffusion.model.apply(params, ints([text])), [null, [at, at + 1]]).data.slice();
  logits[mask] = -1e30;
  return logSoftmax(tensor(Float32Array.from(logits))).data as Float32Array;
}

describe("a model with bidirectional attention", () => {
  it("attends to later tokens, and has no KV cache", async () => {
    const [a, b] = [
      [1, mask, 2],
      [1, mask, 3],
    ].map((text) => guess(text, 1));
    expect(a).not.toEqual(b);
    expect(() => diffusion.model.start(1)).toThrow("bidirectional");
    expect(() => maskedDiffusion({ ...options, mask: 8 })).toThrow("a token from 0 to 7");
    const causal = gpt(options);
    const first = (last: number) => causal.apply(params, ints([[1, 2, last]])).data.slice(0, 16);
    expect(first(3)).toEqual(first(4));
  });

  it("is saved to a folder and loaded again", async () => {
    const folder = mkdtempSync(join(tmpdir(), "reins-diffusion-"));
    const { mask: _, ...shape } = options;
    const before = newModel({ ...shape, causal: false }, random.key(3));
    await saveModel(folder, before);
    const { model, params: back } = await loadModel(folder);
    rmSync(folder, { recursive: true });
    expect(model.apply(back, tokens).data).toEqual(before.model.apply(before.params, tokens).data);
  });
});

describe("the bound", () => {
  it("is the cross-entropy itself for one generated token", () => {
    const text = ints([[1, 2, 5]]);
    const own = ints([[-1, -1, 1]]);
    const loss = diffusion.loss(params, text, random.key(4), own).item();
    expect(loss).toBeCloseTo(-guess([1, 2, mask], 2)[5], 5);
  });

  it("is the mean over all ways to mask two tokens", () => {
    const text = ints(Array.from({ length: 64 }, () => [3, 5]));
    const error = (hidden: number[], at: number) => -guess(hidden, at)[at === 0 ? 3 : 5];
    const both = error([mask, mask], 0) + error([mask, mask], 1);
    const one = (error([mask, 5], 0) + error([3, mask], 1)) / 2;
    const wanted = (both + 2 * one) / 2 / 2;
    const loss = compile((key: Tensor) => diffusion.loss(params, text, key));
    const mean =
      Array.from({ length: 50 }, (_, i) => loss(random.key(i)).item()).reduce((a, b) => a + b) / 50;
    expect(Math.abs(mean / wanted - 1)).toBeLessThan(0.01);
  });

  it("does not depend on padding", () => {
    const other = where(
      tensor(
        order.data.map((o) => Number(o === 0)),
        { shape: [2, 8], dtype: "bool" },
      ),
      2,
      tokens,
    );
    const loss = (t: Tensor) => diffusion.loss(params, t, random.key(4), order).item();
    expect(loss(other)).toBeCloseTo(loss(tokens), 5);
  });
});

describe("decoding", () => {
  const ways: DecodeOptions[] = [
    { length: 5 },
    { length: 5, perRound: 2, temperature: 0.7 },
    { length: 5, first: "random" },
    { length: 5, perRound: 3, first: "random", temperature: 1.3 },
  ];

  it.each(ways)("has the log-probabilities of one pass afterwards: %o", (how) => {
    const rounds = decodingRounds(how);
    const found = compile((p: GptParams, key: Tensor) => diffusion.decode(p, tokens, order, how, key))(
      params,
      random.key(8),
    );
    const { temperature } = how;
    const again = diffusion.traceLogProb(params, found.tokens, found.order, { rounds, temperature }).logProb;
    again.data.forEach((p: number, i: number) => expect(found.logProb.data[i]).toBeCloseTo(p, 5));
    // Each row generates this many positions per round, and only where it should.
    const rows = [0, 1].map((r) => [...found.order.data.slice(8 * r, 8 * r + 8)]);
    rows.forEach((row, r) => {
      const start = order.data.slice(8 * r, 8 * r + 8);
      row.forEach((o, i) => expect(o > 0 ? 1 : o).toBe(start[i]));
      const written = row.filter((o) => o > 0).sort();
      expect(written).toEqual(written.map((_, i) => 1 + Math.floor(i / (how.perRound ?? 1))));
    });
    expect(found.tokens.data.includes(mask)).toBe(false);
  });

  it("takes the most confident position and the most likely token, like a loop over the text", () => {
    const found = diffusion.decode(params, ints([[1, 0, 0, 0]]), ints([[-1, 1, 1, 1]]), { length: 3 });
    const text = [1, mask, mask, mask];
    for (let round = 1; round <= 3; round++) {
      const open = [1, 2, 3].filter((i) => text[i] === mask);
      const p = open.map((i) => guess(text, i));
      const sure = p.map((q) => Math.max(...q));
      const best = sure.indexOf(Math.max(...sure));
      expect(found.order.data[open[best]]).toBe(round);
      expect(found.logProb.data[open[best]]).toBeCloseTo(sure[best], 4);
      text[open[best]] = p[best].indexOf(sure[best]);
    }
    expect([...found.tokens.data]).toEqual(text);
  });

  it("samples in proportion to the model's probabilities", () => {
    const rows = 1000;
    const texts = ints(Array.from({ length: rows }, () => [2, 0]));
    const places = ints(Array.from({ length: rows }, () => [-1, 1]));
    const { tokens: drawn } = diffusion.decode(params, texts, places, { length: 1 }, random.key(5));
    const counts = new Float64Array(7);
    for (let r = 0; r < rows; r++) counts[drawn.data[2 * r + 1]]++;
    const p = guess([2, mask], 1).map(Math.exp);
    // Chi-squared with 6 degrees of freedom: above 22.5 once in a thousand times.
    expect(counts.reduce((s, c, t) => s + (c - rows * p[t]) ** 2 / (rows * p[t]), 0)).toBeLessThan(22.5);
  });

  it("rejects invalid options", () => {
    expect(() => diffusion.decode(params, tokens, order, { length: 5, first: "random" })).toThrow(
      "needs a key",
    );
    expect(() => diffusion.decode(params, tokens, order, { length: 5, temperature: 0 })).toThrow(
      "leave out the key",
    );
  });
});

describe("learning", () => {
  it("has the gradient of finite differences on a trace", () => {
    const how = { length: 5, perRound: 2 };
    const rounds = decodingRounds(how);
    const trace = diffusion.decode(params, tokens, order, how, random.key(3));
    const total = (p: GptParams) =>
      sum(diffusion.traceLogProb(p, trace.tokens, trace.order, { rounds }).logProb);
    const slopes = flattenNames(valueAndGradient(total)(params).gradient);
    for (const [path, t] of flattenNames(params)) {
      const at = path === "tokens.table" ? mask * 16 : t.size >> 1;
      const here = t.data[at];
      const value = (x: number) => {
        t.data[at] = x;
        return total(params).item();
      };
      const slope = (value(here + 1e-2) - value(here - 1e-2)) / 2e-2;
      t.data[at] = here;
      const found = slopes.get(path)!.data[at];
      expect(Math.abs(found - slope), path).toBeLessThan(5e-3 * Math.max(1, Math.abs(slope)));
    }
  });

  it("reverses words of four letters", () => {
    const [rows, letters] = [64, 6];
    const own = maskedDiffusion({ ...options, style: "gpt2", width: 32, deviation: 0.1 });
    const start = own.model.init(random.key(2));
    const places = ints(Array.from({ length: rows }, () => [-1, -1, -1, -1, 1, 1, 1, 1]));
    const words = (seed: number) => {
      const drawn = random.randint(random.key(seed), [rows, 4], 0, letters).data;
      return ints(
        Array.from({ length: rows }, (_, r) => {
          const word = [...drawn.slice(4 * r, 4 * r + 4)];
          return [...word, ...word.slice().reverse()];
        }),
      );
    };
    const optimiser = adam({ learningRate: 5e-3 });
    const update = compile(
      (p: GptParams, s: OptimiserState<GptParams>, t: Tensor, key: Tensor) => {
        const { gradient } = valueAndGradient((q: GptParams) => own.loss(q, t, key, places))(p);
        return optimiser.update(gradient, s, p);
      },
      { donate: [0, 1] },
    );
    let now = { params: start, state: optimiser.init(start) };
    for (let i = 0; i < 150; i++) now = update(now.params, now.state, words(i), random.key(i));
    const wanted = words(99_999);
    for (const perRound of [1, 2]) {
      const decode = compile((p: GptParams, t: Tensor) => own.decode(p, t, places, { length: 4, perRound }));
      const { tokens: found } = decode(now.params, wanted);
      const right = Array.from({ length: rows }, (_, r) =>
        [4, 5, 6, 7].every((i) => found.data[8 * r + i] === wanted.data[8 * r + i]),
      );
      expect(right.filter(Boolean).length / rows).toBeGreaterThan(0.9);
    }
  });
});
