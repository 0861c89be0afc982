import type { CurrentPolicy, Policy } from "@reins/core";
import {
  add,
  gt,
  logSigmoid,
  matmul,
  mul,
  reshape,
  setBackend,
  sub,
  type Tensor,
  tensor,
} from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { observationAttacks } from "./observation-attack.ts";

setBackend("wasm");

/** Action 1 where 3 x + 4 y > 0: the boundary is |3 x + 4 y| / 5 away. */
const margin = (w: Tensor, x: Tensor) => reshape(matmul(x, w), [x.shape[0]]);
const acting: CurrentPolicy<Policy> = {
  weights: tensor([[3], [4]]),
  policy: {
    likelihood: "exact",
    init: () => tensor([[3], [4]]),
    act: (w, { observation }) => ({
      action: gt(margin(w as Tensor, observation as Tensor), 0).cast("i32"),
      state: {},
    }),
    score: (w, { view: { observation }, action }) => {
      const m = margin(w as Tensor, observation as Tensor);
      const sign = sub(mul((action as Tensor).cast("f32"), 2), 1);
      return { logProb: logSigmoid(mul(m, sign)), entropy: mul(m, 0) };
    },
  },
};

/** Distances of -0.1, 0.1, 0.5 and 1 from the boundary. */
const seen = tensor([-0.1, 0.1, 0.5, 1].map((d) => [0.6 * d, 0.8 * d]));
const attacks = observationAttacks(acting);
const plenty = { observation: seen, left: tensor([9, 9, 9, 9]) };
const lengths = (change: Tensor) => (change.toArray() as number[][]).map(([x, y]) => Math.hypot(x, y));
const distances = (change: Tensor) =>
  (add(seen, change).toArray() as number[][]).map(([x, y]) => (3 * x + 4 * y) / 5);

describe("an attack on observations", () => {
  it("takes the shortest way over the boundary, within its size", () => {
    const change = attacks({ size: 0.4 })(plenty);
    distances(change).forEach((d, i) => expect(d).toBeCloseTo([0.3, -0.3, 0.1, 0.6][i], 4));
    const short = attacks({ size: 0.4 })({ ...plenty, left: tensor([0.4, 0.2, 0.1, 0]) });
    lengths(short).forEach((l, i) => expect(l).toBeCloseTo([0.4, 0.2, 0.1, 0][i], 4));
  });

  it("spends no more than needed if it is thrifty", () => {
    const change = attacks({ size: 0.6, thrifty: true })(plenty);
    const [a, b, c, d] = lengths(change);
    for (const [length, needed] of [
      [a, 0.1],
      [b, 0.1],
      [c, 0.5],
    ]) {
      expect(length).toBeGreaterThan(needed);
      expect(length).toBeLessThanOrEqual(needed + 0.6 / 8 + 1e-5);
    }
    expect(d).toBe(0);
  });

  it("leads to a target action, and leaves rows that already have it", () => {
    const change = attacks({
      size: 0.4,
      towards: () => tensor([1, 1, 1, 1], { dtype: "i32" }),
      thrifty: true,
    })(plenty);
    expect(distances(change)[0]).toBeGreaterThan(0);
    expect(lengths(change).slice(1)).toEqual([0, 0, 0]);
    const pushed = observationAttacks(acting, { noise: 0.3 })({
      size: 0.4,
      towards: () => tensor([0, 0, 0, -1], { dtype: "i32" }),
    })(plenty);
    distances(pushed).forEach((d, i) => expect(d).toBeCloseTo([-0.5, -0.3, 0.1, 1][i], 3));
  });
});
