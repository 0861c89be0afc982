import * as t from "@reins/tensor";
import { expect, it } from "vitest";
import { minimise, sgd } from "./index.ts";

const key = t.random.key(1);

it("descends the gradient in place, with the learning rate of each step", () => {
  const weights = { x: t.tensor([3, -2]) };
  const step = minimise(weights, ({ x }) => t.square(x).sum(), { key, optimiser: sgd() });
  expect(step(0.25)).toBeCloseTo(13, 5);
  expect([...weights.x.data]).toEqual([1.5, -1]);
  expect(step(0)).toBeCloseTo(3.25, 5);
  expect([...weights.x.data]).toEqual([1.5, -1]);
});

it("gives every step a separate key, and clips the gradient norm", () => {
  const weights = { x: t.tensor([0]) };
  const drawn = ({ x }: typeof weights, k: t.Tensor) => t.random.uniform(k, [1]).add(x.mul(100)).sum();
  const step = minimise(weights, drawn, { key, optimiser: sgd(), clipNorm: 1 });
  const losses = [step(0), step(0), step(0.5)];
  expect(new Set(losses).size).toBe(3);
  expect(weights.x.data[0]).toBeCloseTo(-0.5, 5);
});
