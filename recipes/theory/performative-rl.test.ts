import { defaultRng } from "@reins/core/random";
import { type TabularMdp, tabularMdp } from "@reins/envs";
import { expect, it } from "vitest";
import { gamma, induced, randomWorld, regularised, respond } from "./performative-rl.parts.ts";

/** Two states whose actions lead to state 0 or 1; reward 1 in state 1 for action 1. */
const mdp: TabularMdp = tabularMdp({ id: "two", states: 2, actions: 2, start: [0.5, 0.5] }, (s, a) => [
  { probability: 1, state: a, reward: s * a, terminated: false },
]);

it("obeys the flow, and tends to the optimum without and to the uniform policy with a penalty", () => {
  for (const lambda of [0.01, 1, 100]) {
    const { occupancy: d } = regularised(mdp, lambda);
    for (const s of [0, 1]) expect(d[2 * s] + d[2 * s + 1]).toBeCloseTo(0.5 + gamma * (d[s] + d[2 + s]), 6);
  }
  const sharp = regularised(mdp, 0.001).policy;
  expect(sharp[1]).toBeCloseTo(1, 6);
  expect(sharp[3]).toBeCloseTo(1, 6);
  for (const p of regularised(mdp, 1000).policy) expect(p).toBeCloseTo(0.5, 3);
});

it("maximises the penalised objective along feasible directions", () => {
  const lambda = 0.5;
  const objective = (d: Float64Array) => d[3] - (lambda / 2) * d.reduce((sum, x) => sum + x * x, 0);
  const { occupancy: d } = regularised(mdp, lambda);
  // Mixtures with the occupancies of fixed policies are feasible: (0, 0), (1, 1) and (1, 0).
  const [stay, move] = [0.5 / (1 - gamma), 0.5];
  for (const other of [
    [stay + gamma * stay, 0, move, 0],
    [0, move, 0, stay + gamma * stay],
  ])
    for (const share of [0.001, 0.1])
      expect(objective(d.map((x, i) => (1 - share) * x + share * other[i]))).toBeLessThanOrEqual(
        objective(d) + 1e-9,
      );
});

it("lets the follower prefer its better response, the colder the more", () => {
  const world = randomWorld(defaultRng(2), { states: 4, actions: 2, responses: 3 });
  const policy = new Float64Array(8).fill(0.5);
  const peak = (beta: number) => Math.max(...respond(world, policy, beta).subarray(0, 3));
  expect(peak(0)).toBeCloseTo(1 / 3, 12);
  expect(peak(50)).toBeGreaterThan(peak(5));
  expect(induced(world, respond(world, policy, 5)).transition[0][0].length).toBe(9);
});
