import { defaultRng } from "@reins/core/random";
import { expect, it } from "vitest";
import { policyDistance as distance, softOptimum } from "../shared/soft-optimum.ts";
import { calibrated, gamma, nearOptimal, shareLost, shifted, tiedMdp } from "./policy-cliff.parts.ts";

const mdp = tiedMdp(defaultRng(5), 6, 3);

it("has two optimal actions in every state", () => {
  const policy = nearOptimal(mdp, 1e-9);
  for (let s = 0; s < 6; s++) expect([...policy.subarray(3 * s, 3 * s + 3)]).toEqual([0.5, 0.5, 0]);
  expect(shareLost(mdp, policy)).toBeCloseTo(0, 9);
});

it("falls off the cliff where an optimum is tied, but not with entropy", () => {
  const change = Float64Array.from({ length: 18 }, (_, i) => (i % 3 === 0 ? 1e-6 : 0));
  const changed = shifted(mdp, change);
  expect(distance(nearOptimal(mdp, 1e-9), nearOptimal(changed, 1e-9), 6)).toBeCloseTo(0.5, 12);
  expect(
    distance(softOptimum(mdp, { alpha: 0.1, gamma }), softOptimum(changed, { alpha: 0.1, gamma }), 6),
  ).toBeLessThan(1e-4);
});

it("solves the soft Bellman equation", () => {
  // One state and no future: π is in proportion to exp(r / α).
  const [outcome, alpha] = [{ probability: 1, state: 0, terminated: true }, 0.5];
  const bandit = {
    id: "bandit",
    states: 1,
    actions: 2,
    start: [1],
    transition: [[[{ ...outcome, reward: 1 }], [{ ...outcome, reward: 0 }]]],
  };
  expect(softOptimum(bandit, { alpha, gamma })[0]).toBeCloseTo(1 / (1 + Math.exp(-2)), 9);
});

it("finds the largest randomness that keeps the loss", () => {
  expect(calibrated((x) => x * x, 0.25)).toBeCloseTo(0.5, 5);
});
