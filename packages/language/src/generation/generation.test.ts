import { gpt } from "@reins/nn";
import { logSoftmax, random, softmax, tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { byteLevelBpe, trainBpe } from "../tokenizers/pairs.ts";
import { TextGenerator } from "./generator.ts";
import { sample, samplingLogits } from "./sampling.ts";
import type { Request } from "./sequence.ts";
import { stopAt } from "./stop.ts";

const options = { layers: 2, width: 16, heads: 2, context: 64, vocabulary: 12, style: "llama" } as const;
const model = gpt(options);
const params = model.init(random.key(5));
const make = (more: object = {}) =>
  new TextGenerator({ model, params, vocabulary: 12, context: 64, end: 1, rows: 8, ...more });
const request = (prompt: number[], seed: number, limit = 12): Request => ({ prompt, seed, limit });

/** Log-probabilities of a whole text, without a KV cache. */
function uncached(prompt: readonly number[], answer: readonly number[]): number[] {
  const all = [...prompt, ...answer];
  const logits = model.apply(params, tensor([all.slice(0, -1)], { dtype: "i32" }));
  const p = logSoftmax(logits).data;
  return answer.map((t, i) => p[(prompt.length - 1 + i) * 12 + t]);
}

describe("generation", () => {
  const requests = Array.from({ length: 21 }, (_, i) =>
    request(
      Array.from({ length: 1 + (i % 7) }, (_, k) => 2 + ((i + 3 * k) % 10)),
      100 + i,
      4 + (i % 9),
    ),
  );

  it("gives each text the same tokens as alone, whatever else is in the batch", () => {
    const together = make().generate(requests);
    const alone = make({ rows: 1 });
    requests.forEach((r, i) => {
      const [one] = alone.generate([r]);
      expect(one.tokens).toEqual(together[i].tokens);
      expect(one.ended).toBe(together[i].ended);
      one.logProb.forEach((p, k) => expect(together[i].logProb[k]).toBeCloseTo(p, 4));
    });
  });

  it("gives each text the same bits, however long its neighbours are", () => {
    const mine = request([3, 4, 5], 9, 20);
    const beside = (length: number, limit: number) =>
      Array.from({ length: 7 }, (_, i) =>
        request(
          Array.from({ length }, (_, k) => 2 + ((i + 5 * k) % 10)),
          50 + i,
          limit,
        ),
      );
    const bits = (others: Request[]) => make({ end: -1 }).generate([mine, ...others])[0];
    const [short, long, grown] = [beside(3, 4), beside(40, 20), beside(3, 60)].map(bits);
    expect(short.tokens).toHaveLength(20);
    for (const other of [long, grown]) {
      expect(other.tokens).toEqual(short.tokens);
      expect(other.logProb).toEqual(short.logProb);
      expect(other.modelLogProb).toEqual(short.modelLogProb);
    }
  });

  it("records the log-probabilities of the model without a cache", () => {
    for (const [i, g] of make().generate(requests).entries())
      uncached(requests[i].prompt, g.tokens).forEach((p, k) => expect(g.modelLogProb[k]).toBeCloseTo(p, 4));
  });

  it("is greedy at temperature 0, like a loop over the whole text", () => {
    const [{ tokens }] = make({ sampling: { temperature: 0 } }).generate([request([3, 4], 0, 10)]);
    const text = [3, 4];
    while (text.length < 12 && text[text.length - 1] !== 1) {
      const logits = model.apply(params, tensor([text], { dtype: "i32" })).data.slice(-12);
      text.push(logits.indexOf(Math.max(...logits)));
    }
    expect(tokens).toEqual(text.slice(2));
  });

  it("ends at the end token, at a stop, at its limit, and at the end of the context", () => {
    const long = make().generate(requests.map((r) => ({ ...r, limit: 60 })));
    for (const [i, g] of long.entries()) {
      expect(g.tokens.indexOf(1)).toBe(g.ended === "end" ? g.tokens.length - 1 : -1);
      if (g.ended === "limit")
        expect(requests[i].prompt.length + g.tokens.length).toBe(
          Math.min(64, requests[i].prompt.length + 60),
        );
    }
    const [stopped] = make().generate([{ ...requests[3], limit: 60, stop: (t) => t.length === 3 }]);
    expect(stopped.tokens.length).toBeLessThanOrEqual(3);
  });

  it("allows only what a constraint allows, with probabilities that add up to 1", () => {
    const even = (_: readonly number[], allowed: Uint8Array) =>
      allowed.forEach((_, t) => (allowed[t] = t % 2 === 0 ? 1 : 0));
    const free = requests[1];
    const [bound, open] = make().generate([{ ...requests[0], constraint: even }, free]);
    expect(bound.tokens.every((t) => t % 2 === 0)).toBe(true);
    expect(bound.logProb[0]).toBeGreaterThan(bound.modelLogProb[0]);
    expect(open.tokens).toEqual(make().generate([free])[0].tokens);
    expect(() => make().generate([{ ...free, constraint: () => {} }])).toThrow("allows no token");
  });

  it("samples each request at its own temperature and topP, without effect on its neighbours", () => {
    const mine = { ...requests[6], limit: 8 };
    const others = [
      requests[1],
      { ...requests[2], constraint: (_: readonly number[], a: Uint8Array) => a.fill(1, 1) },
    ];
    const plain = make().generate(others);
    for (const sampling of [
      { temperature: 0.4 },
      { topP: 0.5 },
      { temperature: 0 },
      { temperature: 3, topP: 0.7 },
    ]) {
      const [own, ...beside] = make({ record: true }).generate([{ ...mine, sampling }, ...others]);
      // As a generator with these settings for all requests.
      const [alone] = make({ sampling }).generate([mine]);
      expect(own.tokens).toEqual(alone.tokens);
      expect(own.logProb).toEqual(alone.logProb);
      expect(own.temperature).toBe(sampling.temperature);
      expect(own.kept!.every((set) => (set !== undefined) === "topP" in sampling)).toBe(true);
      beside.forEach((g, i) => {
        expect(g.tokens).toEqual(plain[i].tokens);
        expect(g.logProb).toEqual(plain[i].logProb);
      });
      expect(beside[0].kept!.every((set) => set === undefined)).toBe(true);
      // Token 0 is excluded.
      expect(beside[1].kept!.map((set) => set![0])).toEqual(beside[1].tokens.map(() => 0xffe));
    }
    // A greedy generator samples where a request sets a temperature.
    const greedy = make({ sampling: { temperature: 0 } });
    const warm = greedy.generate([{ ...mine, sampling: { temperature: 1 } }, mine]);
    expect(warm[0].tokens).toEqual(make().generate([mine])[0].tokens);
    expect(warm[1].tokens).toEqual(greedy.generate([mine])[0].tokens);
  });

  it("records the kept set of a constraint at high temperatures too", () => {
    const even = (_: readonly number[], allowed: Uint8Array) =>
      allowed.forEach((_, t) => (allowed[t] = t % 2 === 0 ? 1 : 0));
    for (const temperature of [0.1, 3, 100]) {
      const [{ kept }] = make({ record: true, sampling: { temperature } }).generate([
        { ...requests[0], constraint: even },
      ]);
      for (const set of kept!) expect([...set!]).toEqual([0b010101010101]);
    }
  });

  it("rejects unknown fields of a request, and limits below 1", () => {
    const wrong = (more: object, why: string) =>
      expect(() => make().generate([{ ...requests[0], ...more } as Request])).toThrow(why);
    wrong(
      { maxTokens: 5 },
      'generate: a request has no field "maxTokens". Known fields: prompt, image, seed, limit',
    );
    wrong({ stops: [] }, "Did you mean stop?");
    wrong({ sampling: { topK: 3 } }, 'a request has no sampling field "topK"');
    wrong({ sampling: { temperature: -1 } }, "temperature is -1");
    for (const limit of [Number.NEGATIVE_INFINITY, Number.NaN, 0])
      wrong({ limit }, `limit is ${limit}; it must be at least 1. Set it to the maximum number of tokens`);
  });

  it("samples in proportion to the model's probabilities", () => {
    const many = make({ rows: 64 }).generate(Array.from({ length: 2000 }, (_, s) => request([5], s, 1)));
    const p = softmax(model.apply(params, tensor([[5]], { dtype: "i32" }))).data;
    const counts = new Float64Array(12);
    for (const g of many) counts[g.tokens[0]]++;
    // Chi-squared with 11 degrees of freedom: above 31 once in a thousand times.
    expect(counts.reduce((sum, c, t) => sum + (c - 2000 * p[t]) ** 2 / (2000 * p[t]), 0)).toBeLessThan(31);
  });

  it("records the weight version at each token, also when weights change on the way", () => {
    let version = 3;
    const generator = make({ version: () => version });
    const stop = (tokens: readonly number[]) => {
      version = tokens.length >= 2 ? 4 : 3;
      return false;
    };
    const [g] = generator.generate([{ ...requests[5], limit: 5, stop }]);
    expect(g.version.slice(0, 3)).toEqual([3, 3, 4].slice(0, g.version.length));
  });

  it("resumes after a pause to the same texts", () => {
    const whole = make({ rows: 4 }).generate(requests);
    const writing = make({ rows: 4 }).begin(requests);
    let seen = writing.advance(3);
    expect(seen.some((g) => g.ended === "paused" && g.tokens.length > 0)).toBe(true);
    while (!writing.done) seen = writing.advance(3);
    seen.forEach((g, i) => expect(g.tokens).toEqual(whole[i].tokens));
  });

  it("shares prefixes between calls, and prefills them again after a change of weights", () => {
    let version = 1;
    const generator = make({ version: () => version });
    const [trunk] = generator.generate([request([3, 4, 5], 7, 20)]);
    expect(trunk.tokens.length).toBeGreaterThan(3);
    const forks = Array.from({ length: 8 }, (_, i) =>
      request([3, 4, 5, ...trunk.tokens.slice(0, 1 + (i % 3))], 40 + i, 6),
    );
    const same = generator.generate(forks);
    make({ rows: 1 })
      .generate(forks)
      .forEach((g, i) => {
        expect(same[i].tokens).toEqual(g.tokens);
        g.logProb.forEach((p, k) => expect(same[i].logProb[k]).toBeCloseTo(p, 4));
      });
    const others = model.init(random.key(6));
    generator.use(others);
    version = 2;
    generator.generate(forks).forEach((g, i) => {
      const [alone] = make({ params: others, rows: 1 }).generate([forks[i]]);
      expect(g.tokens).toEqual(alone.tokens);
    });
  });

  it("gives the same bits whatever was generated before, after forget()", () => {
    const prompts = (from: number, different: number) =>
      Array.from({ length: 16 }, (_, i) => {
        const own = i % different;
        return request(
          Array.from({ length: 5 + (own % 4) }, (_, k) => 2 + ((7 * own + 3 * k + from) % 10)),
          from + i,
        );
      });
    const sure = gpt({ ...options, deviation: 0.2 });
    const weights = sure.init(random.key(5));
    const writer = () => make({ model: sure, params: weights, rows: 16, version: () => 1 });
    const fresh = writer().generate(prompts(1000, 3));
    const used = writer();
    used.generate(prompts(1, 16));
    used.forget();
    expect(used.generate(prompts(1000, 3))).toEqual(fresh);
  });

  it("records entropies", () => {
    const [g] = make().generate([request([5], 3, 1)]);
    const p = [...softmax(model.apply(params, tensor([[5]], { dtype: "i32" }))).data];
    expect(g.entropy[0]).toBeCloseTo(-p.reduce((s, x) => s + x * Math.log(x), 0), 4);
  });

  it("rejects prompts that do not fit", () => {
    expect(() => make().generate([request(Array(64).fill(2), 0)])).toThrow("the model's context is 64");
    expect(() => make().generate([request([], 0)])).toThrow("at least one token");
  });
});

describe("stop strings", () => {
  it("end a text where one of them ends, across token borders, and not before", () => {
    const words = byteLevelBpe(trainBpe(["the end of the end", "stop there"], 270));
    const stop = stopAt(["end", "☕"], words);
    const first = (text: string) => {
      const tokens = words.encode(text);
      return words.decode(tokens.slice(0, tokens.findIndex((_, i) => stop(tokens.slice(0, i + 1))) + 1));
    };
    expect(first("at the en d, the end of it")).toMatch(/^at the en d, the end/);
    expect(first("a cup of ☕ now")).toBe("a cup of ☕");
    expect(stop(words.encode("nothing here"))).toBe(false);
    expect(stopAt([], words)(words.encode("end"))).toBe(false);
  });
});

describe("sampling", () => {
  const logits = tensor([[0, 1, 2, 3, -1]]);
  const kept = (sampling: object) => [...samplingLogits(logits, sampling).data].map((x) => x > -1e29);
  it("keeps the right tokens, computed by hand", () => {
    expect(kept({ topK: 2 })).toEqual([false, false, true, true, false]);
    // Probabilities 0.032, 0.086, 0.235, 0.638, 0.012.
    expect(kept({ topP: 0.6 })).toEqual([false, false, false, true, false]);
    expect(kept({ topP: 0.65 })).toEqual([false, false, true, true, false]);
    expect(kept({ minP: 0.3 })).toEqual([false, false, true, true, false]);
    expect([...samplingLogits(logits, { temperature: 2 }).data]).toEqual([0, 0.5, 1, 1.5, -0.5]);
    const seen = tensor([[0, 0, 0, 1, 1]], { dtype: "bool" });
    expect([...samplingLogits(logits, { repetition: 2 }, { seen }).data]).toEqual([0, 1, 2, 1.5, -2]);
    expect(() => samplingLogits(logits, { topP: 2 })).toThrow("topP is 2");
    expect(() => samplingLogits(logits, { topK: 1.5 })).toThrow("topK is 1.5; choose a whole number.");
  });
  it("gives finite log-probabilities at every temperature that it accepts", () => {
    const allowed = tensor([[1, 1, 1, 0, 1]], { dtype: "bool" });
    const rows = (temperature: number) => ({ inverseTemperature: tensor([1 / temperature]) });
    for (const temperature of [1e-6, 1e-3, 100])
      for (const own of [undefined, rows(temperature)]) {
        const { token, logProb } = sample(logits, own ? {} : { temperature }, {
          allowed,
          own,
          uniform: tensor([0.5]),
        });
        if (temperature < 1) expect([token.data[0], logProb.data[0]]).toEqual([2, 0]);
        else expect(logProb.data[0]).toBeCloseTo(Math.log(0.25), 1);
      }
    for (const temperature of [1e-7, 1e-40])
      expect(() => samplingLogits(logits, { temperature })).toThrow(
        `temperature is ${temperature}; choose 0 (greedy) or a value from 0.000001 to 100.`,
      );
  });
  it("gives log-probabilities of both distributions", () => {
    const { token, logProb, modelLogProb } = sample(logits, { topK: 1 }, {});
    expect(token.data[0]).toBe(3);
    expect(logProb.data[0]).toBeCloseTo(0, 6);
    expect(modelLogProb.data[0]).toBeCloseTo(Math.log(0.6364), 3);
  });
  it("samples by inverse transform, and never a token of probability 0", () => {
    const third = Math.log(1 / 3);
    const drawn = (chance: number, allowed: number[]) =>
      sample(
        tensor([[third, third, third, third, third]]),
        {},
        {
          uniform: tensor([chance]),
          allowed: tensor([allowed], { dtype: "bool" }),
        },
      ).token.data[0];
    const last = 1 - 2 ** -24;
    const of = (allowed: number[]) => [0, 0.3, 0.4, 0.6, 0.7, last].map((c) => drawn(c, allowed));
    expect(of([0, 1, 1, 0, 1])).toEqual([1, 1, 2, 2, 4, 4]);
    expect(of([1, 1, 1, 0, 0])).toEqual([0, 0, 1, 1, 2, 2]);
    expect(of([0, 0, 1, 0, 0])).toEqual([2, 2, 2, 2, 2, 2]);
  });
  it("reaches the last of many tokens at the highest uniform number, despite rounding", () => {
    const size = 1000;
    for (let seed = 0; seed < 20; seed++) {
      const x = random.normal(random.key(seed), [1, size]);
      x.data[size - 1] = -1e30;
      const { token } = sample(x, {}, { uniform: tensor([1 - 2 ** -24]) });
      expect(token.data[0]).toBeLessThan(size - 1);
    }
  });
});
