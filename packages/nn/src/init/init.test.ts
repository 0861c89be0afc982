import { compile, mul, random, type Tensor, transpose } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import {
  constant,
  fans,
  kaimingNormal,
  kaimingUniform,
  normal,
  ones,
  orthogonal,
  truncatedNormal,
  uniform,
  xavierNormal,
  xavierUniform,
  zeros,
} from "./index.ts";
import { orthogonalityError } from "./orthogonal.ts";

const key = random.key(7);
const deviation = (t: Tensor) => Math.sqrt((t.data as Float32Array).reduce((s, v) => s + v * v, 0) / t.size);
const largest = (t: Tensor) => (t.data as Float32Array).reduce((m, v) => Math.max(m, Math.abs(v)), 0);

describe("fans", () => {
  it("counts inputs and outputs of linear and convolution weights", () => {
    expect(fans([3, 5])).toEqual({ in: 3, out: 5 });
    expect(fans([8, 4, 3, 3])).toEqual({ in: 36, out: 72 });
    expect(fans([8, 4, 3])).toEqual({ in: 12, out: 24 });
    expect(() => fans([3])).toThrow("at least two axes");
  });
});

describe("orthogonal", () => {
  it("has orthonormal rows or columns, whichever are fewer, times the gain", () => {
    expect(orthogonalityError(orthogonal()(key, [5, 9]))).toBeLessThan(1e-6);
    expect(orthogonalityError(transpose(orthogonal()(key, [9, 5])))).toBeLessThan(1e-6);
    expect(orthogonalityError(mul(orthogonal(3)(key, [6, 6]), 1 / 3))).toBeLessThan(1e-6);
  });
  it("treats a convolution as [out, the rest]", () => {
    const w = orthogonal()(key, [4, 2, 3, 3]);
    expect(w.shape).toEqual([4, 2, 3, 3]);
    expect(deviation(w)).toBeCloseTo(Math.sqrt(1 / 18), 5);
  });
  it("gives the same inside compile()", () => {
    const make = compile((k: Tensor) => orthogonal(2)(k, [8, 6]));
    const [a, b] = [make(key), orthogonal(2)(key, [8, 6])];
    expect(orthogonalityError(mul(transpose(a), 0.5))).toBeLessThan(1e-5);
    expect(Math.max(...a.data.map((v, i) => Math.abs(v - b.data[i])))).toBeLessThan(1e-4);
  });
});

describe("random initialisers", () => {
  const shape = [60, 40];
  it("have the deviations of their papers", () => {
    expect(deviation(normal(0.5)(key, shape))).toBeCloseTo(0.5, 1);
    expect(deviation(xavierNormal()(key, shape))).toBeCloseTo(Math.sqrt(2 / 100), 2);
    expect(deviation(xavierUniform()(key, shape))).toBeCloseTo(Math.sqrt(2 / 100), 2);
    expect(deviation(kaimingNormal()(key, shape))).toBeCloseTo(Math.sqrt(2 / 60), 2);
    expect(deviation(kaimingUniform()(key, shape))).toBeCloseTo(Math.sqrt(2 / 60), 2);
    expect(deviation(kaimingUniform(1 / Math.sqrt(3))(key, shape))).toBeCloseTo(Math.sqrt(1 / 60 / 3), 2);
  });
  it("stay within their bounds", () => {
    expect(largest(uniform(0.3)(key, shape))).toBeLessThanOrEqual(0.3);
    expect(largest(truncatedNormal(0.1)(key, shape))).toBeLessThanOrEqual(0.2);
    expect(largest(truncatedNormal(0.1)(key, shape))).toBeGreaterThan(0.15);
  });
  it("zeros, ones and constant fill with their value", () => {
    expect(zeros(key, [2]).toArray()).toEqual([0, 0]);
    expect(ones(key, [2]).toArray()).toEqual([1, 1]);
    expect(constant(0.5)(key, [2]).toArray()).toEqual([0.5, 0.5]);
  });
});
