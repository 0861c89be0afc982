import { setFlagsFromString } from "node:v8";
import { describe, expect, it } from "vitest";
import { defaultRng } from "./generator.ts";

// Node's default.
setFlagsFromString("--interrupt-budget=67584");

describe("Generator", () => {
  it("fills arrays like single calls", () => {
    const one = defaultRng(9);
    const many = defaultRng(9);
    const singles = (draw: () => number) => Float64Array.from({ length: 500 }, draw);
    expect(many.fillRandom(new Float64Array(500))).toEqual(singles(() => one.random()));
    expect(many.fillUniform(new Float64Array(500), -3, 5)).toEqual(singles(() => one.uniform(-3, 5)));
    expect(many.fillIntegers(new Float64Array(500), 2, 9)).toEqual(singles(() => one.integers(2, 9)));
    expect(many.fillNormal(new Float64Array(500), 1, 2)).toEqual(singles(() => one.normal(1, 2)));
  });

  it("continues from a snapshot in the middle of a stream", () => {
    const rng = defaultRng(3);
    for (let i = 0; i < 7; i++) rng.integers(0, 100);
    const snapshot = rng.save();
    const draw = () => [rng.integers(0, 1000), rng.random(), rng.integers(0, 1000), rng.standardNormal()];
    const expected = draw();
    rng.restore(snapshot);
    expect(draw()).toEqual(expected);
  });

  it("never chooses what has probability 0", () => {
    const rng = defaultRng(4);
    for (let i = 0; i < 1000; i++) expect(rng.choice(4, [0, 0.5, 0.5, 0])).toBeOneOf([1, 2]);
  });

  it("accepts probabilities that were rounded to single precision", () => {
    const p = new Float32Array(1000).fill(0.001);
    expect(defaultRng(4).choice(1000, p)).toBeLessThan(1000);
  });

  it("allocates next to nothing, once the engine has warmed up", () => {
    const rng = defaultRng(5);
    const out = new Float64Array(1000);
    const order = Int32Array.from({ length: 1000 }, (_, i) => i);
    const p = [0.2, 0.3, 0.5];
    // Each with its own loop: a loop that calls one of several functions allocates the results by itself.
    const methods = {
      random: () => {
        for (let i = 0; i < out.length; i++) out[i] = rng.random();
      },
      integers: () => {
        for (let i = 0; i < out.length; i++) out[i] = rng.integers(0, 6);
      },
      normal: () => {
        for (let i = 0; i < out.length; i++) out[i] = rng.normal(1, 2);
      },
      choice: () => {
        for (let i = 0; i < out.length; i++) out[i] = rng.choice(3, p);
      },
      shuffle: () => rng.shuffle(order),
      fillUniform: () => rng.fillUniform(out, 1, 2),
      fillNormal: () => rng.fillNormal(out, 1, 2),
    };
    for (const [name, thousand] of Object.entries(methods)) {
      let least = Infinity;
      for (let trial = 0; trial < 2000 && least > 2000; trial++) {
        const before = process.memoryUsage().heapUsed;
        for (let i = 0; i < 10; i++) thousand();
        least = Math.min(least, Math.abs(process.memoryUsage().heapUsed - before));
      }
      // Ten thousand samples: a boxed number for each would be 160,000 bytes.
      expect(least, name).toBeLessThan(20_000);
    }
  });

  it("names invalid arguments", () => {
    const rng = defaultRng(1);
    expect(() => rng.uniform(1, 0)).toThrow("uniform(1, 0): high must not be below low");
    expect(() => rng.uniform(0, Infinity)).toThrow("must be finite");
    expect(() => rng.integers(5, 5)).toThrow("integers(5, 5): the range is empty.");
    expect(() => rng.integers(0, 1.5)).toThrow("bounds must be integers");
    expect(() => rng.integers(-(2 ** 53) + 1, 2 ** 53 - 1)).toThrow("at most 2^53 apart");
    expect(() => rng.normal(0, -1)).toThrow("normal: the standard deviation is -1. Use 0 or more.");
    expect(() => rng.exponential(Number.NaN)).toThrow("exponential: the mean is NaN.");
    expect(() => rng.choice([])).toThrow("got no elements");
    expect(() => rng.choice(3, [0.5, 0.5])).toThrow("2 probabilities for 3 elements");
    expect(() => rng.choice(2, [-0.5, 1.5])).toThrow("probability 0 is -0.5");
    expect(() => rng.choice(2, [0.5, 0.6])).toThrow("sum to 1.1. Divide them by their sum.");
  });
});
