import { expect, it } from "vitest";
import { cvar, iteratedCvar, planEpisode } from "./icvar-rl.parts.ts";

it("is the mean of the worst share", () => {
  const [p, values] = [
    [0.5, 0.1, 0.4],
    [3, 0, 1],
  ];
  expect(cvar(p, values, 0.1)).toBeCloseTo(0, 12);
  // A tenth of 0 and a tenth of 1.
  expect(cvar(p, values, 0.2)).toBeCloseTo(0.5, 12);
  expect(cvar(p, values, 1)).toBeCloseTo(1.9, 12);
});

// Action 0 of state 0 is safe, with 0.4; action 1 leads to reward 1 in state 1 or to 0 in state 2. All else pays 0.
const tables = {
  rows: [
    [Float64Array.of(0, 0, 1), Float64Array.of(0, 0.8, 0.2)],
    [Float64Array.of(0, 0, 1), Float64Array.of(0, 0, 1)],
    [Float64Array.of(0, 0, 1), Float64Array.of(0, 0, 1)],
  ],
  rewards: [
    [0.4, 0],
    [1, 1],
    [0, 0],
  ],
};

it("avoids a risk that the mean would take", () => {
  const mdp = { id: "risk", states: 3, actions: 2, transition: [], start: [1, 0, 0] };
  const plan = (level: number) =>
    planEpisode(mdp, 2, (s, a, next) => tables.rewards[s][a] + cvar(tables.rows[s][a], next, level));
  expect(plan(1).policies[0][0]).toBe(1);
  expect(plan(1).values[0]).toBeCloseTo(0.8, 12);
  expect(plan(0.25).policies[0][0]).toBe(0);
  expect(plan(0.25).values[0]).toBeCloseTo(0.4, 12);
  expect(iteratedCvar(tables, plan(1).policies, { level: 0.25 })[0]).toBeCloseTo(0.2, 12);
  // Half of the first actions are random: 0.5 · 0.2 + 0.5 · (0.4 + 0.2) / 2.
  expect(iteratedCvar(tables, plan(1).policies, { level: 0.25, epsilon: 0.5 })[0]).toBeCloseTo(0.25, 12);
});
