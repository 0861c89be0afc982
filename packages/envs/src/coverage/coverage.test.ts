import { defaultRng } from "@reins/core/random";
import { tensor } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import { CoverageEnv } from "./env.ts";
import { look, marginalGain, randomField, walked } from "./field.ts";
import { coverageBound, greedyCoverage, plannedCoverage } from "./plans.ts";
import { CoverageWalk } from "./walk.ts";

const field = randomField(defaultRng(3), { size: 5 });

describe("a field", () => {
  it("has total value 1, and less is new where more was seen", () => {
    expect(field.worth.reduce((a, b) => a + b)).toBeCloseTo(1);
    const none = new Uint8Array(25);
    const some = Uint8Array.from({ length: 25 }, (_, i) => i % 2);
    for (let c = 0; c < 25; c++)
      expect(marginalGain(field, c, some)).toBeLessThan(marginalGain(field, c, none));
  });
});

it("a look marks what is visible, and counts it once", () => {
  const marked = new Uint8Array(25);
  expect(look(field, 12, marked)).toBeGreaterThan(0);
  expect(look(field, 12, marked)).toBe(0);
  expect(marked.reduce((a, b) => a + b)).toBe(9);
});

it("moves stop at the edge", () => {
  expect([0, 1, 2, 3].map((way) => walked(5, 0, way))).toEqual([0, 1, 5, 0]);
  expect([0, 1, 2, 3].map((way) => walked(5, 24, way))).toEqual([19, 24, 24, 23]);
});

it("the gains of a walk add up to its total, and `each` gives more", () => {
  const paid = (pays: "gains" | "each" | "end") => {
    const walk = new CoverageWalk({ field, horizon: 6, pays, seed: 1 });
    walk.begin();
    const rewards = [0, 1, 2, 2, 3, 1].map((way) => walk.step(way).reward);
    return { rewards, sum: rewards.reduce((a, b) => a + b), covered: walk.covered };
  };
  expect(paid("gains").sum).toBeCloseTo(paid("end").sum);
  expect(paid("gains").sum).toBeCloseTo(paid("each").covered);
  expect(paid("end").rewards.slice(0, -1)).toEqual([0, 0, 0, 0, 0]);
  expect(paid("each").sum).toBeGreaterThan(paid("gains").sum);
  const jumping = new CoverageWalk({ field, horizon: 2, pays: "gains", jumps: true, seed: 1 });
  expect([jumping.states, jumping.actions, jumping.begin()]).toEqual([2, 25, 0]);
  expect(jumping.step(7)).toMatchObject({ state: 1, over: false });
  expect(jumping.step(7)).toMatchObject({ reward: 0, over: true });
});

describe("plans", () => {
  it("are in order: greedy, searched, bound, everything", () => {
    for (let seed = 0; seed < 5; seed++) {
      const own = randomField(defaultRng(seed), { size: 7 });
      const [greedy, planned, bound] = [
        greedyCoverage(own, 8),
        plannedCoverage(own, 8),
        coverageBound(own, 8),
      ];
      expect(greedy).toBeLessThanOrEqual(planned + 1e-9);
      expect(planned).toBeLessThanOrEqual(bound + 1e-9);
      expect(bound).toBeLessThanOrEqual(1 + 1e-9);
    }
  });
});

it.each(["gains", "end"] as const)("many walks at once, with reward %s, return their coverage", (pays) => {
  const horizon = 6;
  const env = new CoverageEnv({ field, horizon, pays, rows: 2 });
  env.reset({ seed: 1 });
  const walk = new CoverageWalk({ field, horizon, pays, seed: 1 });
  walk.begin();
  const ways = [0, 0, 3, 3, 2, 1];
  for (const way of ways) {
    env.step(tensor(Int32Array.of(way, 1)));
    expect(env.reward.data[0]).toBeCloseTo(walk.step(way).reward, 6);
  }
  expect([...env.terminated.data]).toEqual([1, 1]);
  expect(env.ended.return[0]).toBeCloseTo(walk.covered, 6);
});
