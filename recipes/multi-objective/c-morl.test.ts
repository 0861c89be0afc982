import { defaultRng } from "@reins/core/random";
import { expect, it } from "vitest";
import * as morl from "./c-morl.parts.ts";

const size = { states: 6, actions: 3, objectives: 3, discount: 0.9 };

it("solves the Bellman equations of all objectives", () => {
  const mdp = morl.randomVectorMdp(defaultRng(1), size);
  const policy = morl.uniform(mdp);
  const values = morl.valuesOf(mdp, policy);
  for (let s = 0; s < 6; s++)
    for (let k = 0; k < 3; k++) {
      let backup = 0;
      for (let a = 0; a < 3; a++) {
        backup += (0.1 * mdp.rewards[s][a][k]) / 3;
        for (let n = 0; n < 6; n++) backup += (0.9 * mdp.transitions[s][a][n] * values[n][k]) / 3;
      }
      expect(values[s][k]).toBeCloseTo(backup, 12);
    }
});

it("climbs until no single action is better", () => {
  const mdp = morl.randomVectorMdp(defaultRng(2), size);
  let policy = morl.uniform(mdp);
  const weights = [0.2, 0.5, 0.3];
  const total = (p: morl.Policy) =>
    morl.returnsOf(morl.valuesOf(mdp, p)).reduce((sum, x, k) => sum + weights[k] * x, 0);
  let before = total(policy);
  for (let i = 0; i < 300; i++) {
    policy = morl.climb(mdp, policy, morl.valuesOf(mdp, policy), weights, 3);
    const now = total(policy);
    expect(now).toBeGreaterThan(before - 1e-6);
    before = now;
  }
  for (let s = 0; s < 6; s++)
    for (let a = 0; a < 3; a++) {
      const other = policy.map((p, i) => (i === s ? p.map((_, b) => Number(a === b)) : p));
      expect(total(other)).toBeLessThan(before + 1e-4);
    }
});

it("keeps what is not dominated, and finds the gaps", () => {
  const policy = [Float64Array.of(1)];
  const found = [
    [0, 4],
    [1, 1],
    [2, 3],
    [2, 3],
    [4, 0],
  ].map((r) => ({ policy, returns: Float64Array.from(r) }));
  const kept = morl.front(found);
  expect(kept.map((f) => [...f.returns])).toEqual([
    [0, 4],
    [2, 3],
    [4, 0],
  ]);
  expect([...morl.crowding(kept)]).toEqual([1.5, 2, 2.5]);
});

it("counts the dominated volume and spreads weights", () => {
  const best = Float64Array.of(1, 2);
  expect(morl.hypervolume([Float64Array.of(0.5, 2)], best, 10)).toBeCloseTo(0.5, 12);
  expect(morl.hypervolume([Float64Array.of(0.5, 2), Float64Array.of(1, 1)], best, 10)).toBeCloseTo(0.75, 12);
  const weights = morl.lattice(3, 3);
  expect(weights.length).toBe(10);
  for (const w of weights) expect(w.reduce((a, b) => a + b)).toBeCloseTo(1, 12);
});
