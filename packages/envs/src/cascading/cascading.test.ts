import { defaultRng } from "@reins/core/random";
import { describe, expect, it } from "vitest";
import {
  allLists,
  bestOf,
  bestPerm,
  cascadingValues,
  listQuery,
  listValue,
  randomCascading,
  showList,
} from "./index.ts";

const random = defaultRng(7);
const numbers = (n: number, low: number, high: number) =>
  Float64Array.from({ length: n }, () => random.uniform(low, high));

describe("lists", () => {
  it("have the value of the first click", () => {
    // 0.5 · 4 + 0.5 · (0.2 · 10 + 0.8 · 1)
    expect(listValue([1, 0], [0.2, 0.5], [10, 4], 1)).toBeCloseTo(3.4, 12);
    expect(listValue([], [0.2, 0.5], [10, 4], 1)).toBe(1);
  });

  it("are all enumerated", () => {
    expect(allLists(6, 3)).toHaveLength(6 + 30 + 120);
    expect(allLists(3, 2)).toEqual([[0], [1], [2], [0, 1], [0, 2], [1, 0], [1, 2], [2, 0], [2, 1]]);
  });

  it("BestPerm finds the best without enumerating them", () => {
    const lists = allLists(6, 3);
    for (let trial = 0; trial < 300; trial++) {
      // A third of the trials each: all items have a higher value than no click, some, none.
      const none = [-1, 0.5, 2][trial % 3];
      const query = { attraction: numbers(6, 0, 1), worth: numbers(6, 0, 1), none, longest: 3 };
      const found = bestPerm(query);
      expect(found.value).toBeCloseTo(bestOf(lists, query).value, 12);
      expect(listValue(found.list, query.attraction, query.worth, none)).toBeCloseTo(found.value, 12);
      expect(found.list.length).toBeGreaterThanOrEqual(1);
      expect(found.compared).toBeLessThanOrEqual(18);
    }
  });

  it("BestPerm finds a list even where nothing is attractive", () => {
    expect(bestPerm({ attraction: [0, 0], worth: [2, 1], none: 0, longest: 1 }).list).toHaveLength(1);
  });
});

describe("cascading MDP", () => {
  const mdp = randomCascading(defaultRng(1), { states: 3, items: 5, longest: 2, horizon: 3 });

  it("has probabilities that add up to 1", () => {
    for (const row of mdp.transition.flat()) expect(row.reduce((a, b) => a + b)).toBeCloseTo(1, 12);
  });

  it("has mean rewards equal to its values", () => {
    const choose = (h: number, s: number) =>
      [(h + s) % 5, (h + 2 * s + 1) % 5].filter((x, i, l) => l.indexOf(x) === i);
    const expected = cascadingValues(mdp, choose)[0];
    const rng = defaultRng(2);
    const episodes = 20_000;
    let sum = 0;
    for (let e = 0; e < episodes; e++)
      for (let h = 0, s = 0; h < mdp.horizon; h++) {
        const { reward, next } = showList(mdp, s, choose(h, s), rng);
        sum += reward;
        s = next;
      }
    expect(sum / episodes).toBeCloseTo(expected, 1);
  });

  it("is solved as well by BestPerm as by all lists", () => {
    const lists = allLists(5, 2);
    const query = (s: number, worth: Float64Array) => listQuery(mdp, mdp.attraction[s], worth);
    const fast = cascadingValues(mdp, (_, s, worth) => bestPerm(query(s, worth)).list);
    const slow = cascadingValues(mdp, (_, s, worth) => bestOf(lists, query(s, worth)).list);
    for (let s = 0; s < 3; s++) expect(fast[s]).toBeCloseTo(slow[s], 12);
  });
});
