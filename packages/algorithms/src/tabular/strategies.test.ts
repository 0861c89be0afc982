import { defaultRng } from "@reins/core/random";
import { keyDoorModel } from "@reins/envs";
import { describe, expect, it } from "vitest";
import { exploreTabular } from "./explore.ts";
import { OptionExplorer } from "./option-explorer.ts";
import { QTable } from "./q-table.ts";
import { epsilonMixture, noveltySeeking, repeatedRandom, uniformRandom } from "./strategies.ts";

describe("strategies", () => {
  it("persistently repeats an action, mostly for few steps", () => {
    const again = repeatedRandom(4, defaultRng(1));
    const actions = Array.from({ length: 2000 }, () => again.act(0));
    const same = actions.slice(1).filter((a, i) => a === actions[i]).length / 1999;
    expect(same).toBeGreaterThan(0.5);
    expect(new Set(actions).size).toBe(4);
  });

  it("sometimes continues a lasting strategy", () => {
    const random = defaultRng(2);
    let left = 0;
    const other = {
      get lasts() {
        return left > 0;
      },
      act() {
        left = left > 0 ? left - 1 : 2;
        return 1;
      },
    };
    const both = epsilonMixture({ act: () => 0 }, other, 0.1, random);
    const runs = Array.from({ length: 3000 }, () => both.act(0))
      .join("")
      .match(/1+/g)!;
    expect(runs.every((r) => r.length % 3 === 0)).toBe(true);
  });

  it("curiously visits all states of a field where random actions miss some", () => {
    const { states, actions, transition } = keyDoorModel({ size: 9, locked: false });
    const visited = (curious: boolean) => {
      const random = defaultRng(3);
      const strategy = curious ? noveltySeeking(states, actions, random) : uniformRandom(actions, random);
      const seen = new Set<number>();
      for (let [t, state] = [0, 0]; t < 400; t++) {
        const action = strategy.act(state);
        const [{ state: next, reward, terminated }] = transition[state][action];
        strategy.told?.({ state, action, reward, next, terminated });
        seen.add(next);
        state = terminated ? 0 : next;
      }
      return seen.size;
    };
    expect(visited(true)).toBe(81);
    expect(visited(false)).toBeLessThan(81);
  });

  it("options that lead to rewards are selected, and last", () => {
    const random = defaultRng(4);
    const strategies = [0, 1, 2].map((action) => ({ act: () => action }));
    const o = { states: 2, strategies, random, epsilon: 0.1, learningRate: 0.3, gamma: 0.9 };
    const explorer = new OptionExplorer(o);
    const taken = [0, 0, 0];
    for (let t = 0; t < 2000; t++) {
      const action = explorer.act(t % 2);
      taken[action]++;
      explorer.told({
        state: t % 2,
        action,
        reward: action === 1 ? 1 : 0,
        next: (t + 1) % 2,
        terminated: false,
      });
    }
    expect(taken[1]).toBeGreaterThan(1500);
    expect(explorer.values[1]).toBeGreaterThan(explorer.values[0]);
  });
});

it("exploring finds the key, the door and the goal", () => {
  const model = keyDoorModel({ size: 5 });
  const random = defaultRng(5);
  const values = new QTable(model.states, model.actions, random);
  const greedy = { act: (state: number) => values.best(state) };
  const behaviour = epsilonMixture(greedy, repeatedRandom(model.actions, random), 0.3, random);
  const o = {
    behaviour,
    values,
    random,
    steps: 20_000,
    learningRate: 0.5,
    gamma: 0.95,
    maxSteps: 100,
    looks: 10,
  };
  const { lengths, episodes } = exploreTabular(model, o);
  // Four steps down to the key, four to the right through the door.
  expect(lengths[9]).toBe(8);
  expect(Math.min(...episodes)).toBe(8);
});
