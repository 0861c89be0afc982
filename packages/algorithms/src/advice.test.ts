import { defaultRng } from "@reins/core/random";
import { type FruitLayout, finiteValues, fruitCollectionModel, sampleOutcome, startValue } from "@reins/envs";
import { describe, expect, it } from "vitest";
import { Advice, bootstraps } from "./advice.ts";

const gamma = 0.9;
const stay = 4;

/**
 * Trained advisors of a garden, which observe the agent's cell or everything (`full`), and the aggregator's return
 * over 40 steps.
 */
function advised(
  layout: FruitLayout,
  planning: keyof typeof bootstraps,
  { learningRate, full = false }: { learningRate: number; full?: boolean },
) {
  const { mdp, cell, has } = fruitCollectionModel(layout);
  const random = defaultRng(1);
  const whole = (state: number) => state;
  const advice = new Advice({
    advisors: [
      ...layout.fruits.map((at, j) => ({
        view: full ? whole : cell,
        isActive: (s: number) => has(s, j),
        reward: (_: number, next: number) => (cell(next) === at ? 1 : 0),
      })),
      ...layout.dangers.map((at) => ({
        view: full ? whole : cell,
        isActive: () => true,
        reward: (_: number, next: number) => (cell(next) === at ? -1 : 0),
      })),
    ],
    views: full ? mdp.states : layout.size ** 2,
    actions: mdp.actions,
    bootstrap: bootstraps[planning],
    gamma,
    learningRate,
  });
  for (let episode = 0; episode < 1500; episode++) {
    let state = random.integers(layout.size ** 2, mdp.states);
    for (let t = 0; t < 40; t++) {
      const action = random.random() < 0.3 ? random.integers(mdp.actions) : advice.act(state);
      const next = sampleOutcome(mdp, state, action, random);
      advice.learn(state, action, next.state);
      if (next.terminated) break;
      state = next.state;
    }
  }
  const policy = Int32Array.from({ length: mdp.states }, (_, s) => advice.act(s));
  return {
    advice,
    start: mdp.start.indexOf(1),
    brings: startValue(mdp, finiteValues(mdp, policy, { horizon: 40 })),
  };
}

describe("four fruits around the agent, each two steps away", () => {
  const cross = { size: 5, fruits: [2, 10, 14, 22], dangers: [], start: 12 };

  it("egocentric advisors stay in place: each expects to be followed next", () => {
    const { advice, start, brings } = advised(cross, "egocentric", { learningRate: 0.5 });
    // Staying keeps each fruit two steps away: 4 γ². A step brings one to distance one and the others to three: γ
    // + 3 γ³.
    expect(advice.values(start)[stay]).toBeCloseTo(4 * gamma ** 2, 3);
    for (let a = 0; a < 4; a++) expect(advice.values(start)[a]).toBeCloseTo(gamma + 3 * gamma ** 3, 3);
    expect(brings).toBe(0);
  });

  it("agnostic advisors collect them, and so do empathic ones that see which are left", () => {
    expect(advised(cross, "agnostic", { learningRate: 0.1 }).brings).toBe(4);
    expect(advised(cross, "empathic", { learningRate: 0.5, full: true }).brings).toBe(4);
  });
});

describe("a fruit behind a corridor between dangers", () => {
  const corridor = { size: 5, fruits: [14], dangers: [6, 7, 8, 16, 17, 18], start: 10 };

  it("agnostic advisors avoid it, the others go", () => {
    expect(advised(corridor, "agnostic", { learningRate: 0.05 }).brings).toBe(0);
    expect(advised(corridor, "egocentric", { learningRate: 0.5 }).brings).toBe(1);
    expect(advised(corridor, "empathic", { learningRate: 0.5 }).brings).toBe(1);
  });
});
