import { leakyRelu, random, tensor, valueAndGradient } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { rationalMlp } from "../models/rational-mlp.ts";
import { type RationalParams, rational } from "./rational.ts";

describe("rational", () => {
  const layer = rational();
  const params = layer.init(random.key(0));

  it("is initialised as a leaky ReLU", () => {
    const x = tensor([-3, -2, -1, -0.5, 0.5, 1, 2, 3]);
    const expected = leakyRelu(x).data;
    layer.apply(params, x).data.forEach((y, i) => expect(Math.abs(y - expected[i])).toBeLessThan(0.02));
  });

  it("is the quotient of its polynomials, and has no pole", () => {
    const own = { numerator: tensor([1, 2, 0, 0, 0, 3]), denominator: tensor([-1, 0, 0, 0.5]) };
    const expected = [-2, 0, 1, 2].map((x) => (1 + 2 * x + 3 * x ** 5) / (1 + Math.abs(-x + 0.5 * x ** 4)));
    const seen = layer.apply(own, tensor([-2, 0, 1, 2])).data;
    expected.forEach((y, i) => expect(seen[i]).toBeCloseTo(y, 4));
  });

  it("learns its coefficients", () => {
    const x = tensor([0.5]);
    const { gradient: slopes } = valueAndGradient((p: RationalParams) => layer.apply(p, x).sum())(params);
    const y = 1 + 3.99192 * 0.25 + 0.30294 * 0.0625;
    [0, 1, 2, 3, 4, 5].forEach((i) => expect(slopes.numerator.data[i]).toBeCloseTo(0.5 ** i / y, 4));
  });
});

it("hidden layers share one activation, or have one each", () => {
  const count = (shared: boolean) =>
    rationalMlp({ inputs: 3, hidden: [4, 5], shared }).init(random.key(1)).activations.length;
  expect([count(true), count(false)]).toEqual([1, 2]);
  const model = rationalMlp({ inputs: 3, hidden: [4, 5] });
  expect(model.apply(model.init(random.key(1)), tensor([[1, 2, 3]])).shape).toEqual([1, 5]);
});
