import { random, type Tensor, tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import type { Body } from "../body.ts";
import { box, discrete } from "../space.ts";
import { framesNetwork } from "./frames-network.ts";

const made = (pooling: "attention" | "first", layers: number) =>
  framesNetwork({ width: 4, layers, pooling })({ space: box([3, 2], 0, 1), inputs: 6 }) as Body;

const seen = (numbers: number[]) => tensor([[numbers.slice(0, 2), numbers.slice(2, 4), numbers.slice(4)]]);
const of = (body: Body, x: Tensor) =>
  Array.from(body.apply(body.init!(random.key(1)), x, 1).data, (v) => v.toFixed(5));

it("puts the newest frame first", () => {
  const body = made("first", 0);
  const one = of(body, seen([0, 0, 1, 0, 0, 1]));
  expect(of(body, seen([1, 1, 0, 1, 0, 1]))).toEqual(one);
  expect(of(body, seen([0, 0, 1, 0, 1, 1]))).not.toEqual(one);
});

it("distinguishes frames by age, and uses all of them", () => {
  const body = made("attention", 1);
  const one = of(body, seen([1, 0, 0, 1, 0, 0]));
  expect(of(body, seen([0, 1, 1, 0, 0, 0]))).not.toEqual(one);
});

it("keeps leading axes, and rejects other spaces", () => {
  const body = made("attention", 1);
  const params = body.init!(random.key(1));
  expect(body.apply(params, random.normal(random.key(2), [5, 7, 3, 2]), 2).shape).toEqual([5, 7, 4]);
  expect(() => framesNetwork({ width: 4 })({ space: discrete(3), inputs: 3 })).toThrow("stacked boxes");
});
