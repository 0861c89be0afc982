import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import * as real from "./real.ts";
import { Generator } from "./testing/generator.ts";

const r = new Generator(12);
const wide = Array.from({ length: 20_000 }, () => r.between(-1, 1) * 2 ** r.whole(-30, 9));
const positive = wide.map((x) => Math.abs(x) + 2 ** -40);

/** Distance in units in the last place of the larger one. */
const apart = (a: number, b: number) =>
  Object.is(a, b)
    ? 0
    : Math.abs(a - b) / 2 ** (Math.floor(Math.log2(Math.max(Math.abs(a), Math.abs(b), 1e-300))) - 52);

describe("functions of plain numbers", () => {
  for (const [name, xs, most] of [
    ["exp", wide, 1],
    ["log", positive, 1],
    ["log1p", positive, 3],
    ["expm1", wide, 4],
    ["sin", wide, 1],
    ["cos", wide, 1],
    ["tanh", wide, 6],
  ] as const)
    it(`${name} matches Math`, () => {
      for (const x of xs)
        if (apart(real[name](x), Math[name](x)) > most)
          throw new Error(`${name}(${x}) is ${real[name](x)} instead of ${Math[name](x)}`);
    });

  it("powers", () => {
    expect([real.pow(3, 4), real.pow(2, -3), real.pow(9, 0.5), real.pow(-2, 3), real.pow(7, 0)]).toEqual([
      81, 0.125, 3, -8, 1,
    ]);
    for (const x of positive.slice(0, 1000)) expect(real.pow(x, 0.6) / x ** 0.6).toBeCloseTo(1, 13);
    expect([real.pow(-1, 2000), real.pow(-1, 2001), real.pow(-2, 2001), real.pow(-0.5, 1e10)]).toEqual([
      1,
      -1,
      Number.NEGATIVE_INFINITY,
      0,
    ]);
  });

  it("eˣ − 1 is finite as long as eˣ is", () => {
    expect(real.expm1(709) / Math.expm1(709)).toBeCloseTo(1, 12);
  });

  it("special values", () => {
    const { exp, log, log1p, expm1, sin, cos, tanh } = real;
    expect([exp(0), exp(-1e9), exp(1e9), exp(-Infinity), exp(NaN)]).toEqual([1, 0, Infinity, 0, NaN]);
    expect([log(1), log(0), log(-1), log(Infinity), log(5e-324)]).toEqual([
      0,
      -Infinity,
      NaN,
      Infinity,
      Math.log(5e-324),
    ]);
    expect([log1p(0), log1p(-1), expm1(-1e9), expm1(1e9), tanh(100), tanh(-100)]).toEqual([
      0,
      -Infinity,
      -1,
      Infinity,
      1,
      -1,
    ]);
    expect([sin(0), cos(0), sin(Infinity), cos(NaN)]).toEqual([0, 1, NaN, NaN]);
    expect(exp(-744)).toBeGreaterThan(0);
  });

  it("have these bits on every machine", () => {
    const hash = createHash("sha256");
    const { exp, log, log1p, expm1, sin, cos, tanh } = real;
    for (const f of [exp, expm1, sin, cos, tanh]) hash.update(Float64Array.from(wide, f));
    for (const f of [log, log1p, (x: number) => real.pow(x, 0.6)])
      hash.update(Float64Array.from(positive, f));
    expect(hash.digest("hex").slice(0, 16)).toBe("fbeed30213029948");
  });
});
