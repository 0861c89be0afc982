import { tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { checkEnv } from "../check/index.ts";
import { Crowd } from "./crowd.ts";

it("passes the checks of an environment", () => {
  expect(checkEnv(() => new Crowd({ rows: 2, most: 3, room: 5 }), { seeds: [0], steps: 80 })).toEqual([]);
});

/** Items of the list: whether it is the agent, position and color. */
const seenIn = ({ observation: { items, count } }: Crowd) =>
  Array.from({ length: count.data[0] }, (_, i) => {
    const [own, x, y, ...color] = Array.from(items.data.slice(7 * i, 7 * i + 7));
    return { own, x, y, color: color.indexOf(1) };
  });

it("is solved by going to the only one of the own color", () => {
  const env = new Crowd({ fewest: 2, most: 9, room: 12 });
  env.reset({ seed: 1 });
  const [counts, returns] = [new Set<number>(), [] as number[]];
  while (returns.length < 60) {
    const [self, ...others] = seenIn(env);
    expect([self.own, ...others.map((o) => o.own)]).toEqual([1, ...others.map(() => 0)]);
    const alike = others.filter((o) => o.color === self.color);
    expect(alike).toHaveLength(1);
    counts.add(others.length);
    const [{ x, y }] = alike;
    env.step(tensor(Int32Array.of(y < 0 ? 0 : x > 0 ? 1 : y > 0 ? 2 : 3)));
    if (env.terminated.data[0] || env.truncated.data[0]) returns.push(env.ended.return[0]);
  }
  expect(new Set(returns)).toEqual(new Set([1]));
  expect([...counts].sort((a, b) => a - b)).toEqual([3, 4, 5, 6, 7, 8, 9, 10]);
});

it("has at least fewest, and at most as many as there is room for", () => {
  expect(() => new Crowd({ fewest: 4, most: 3 })).toThrow("must be in ascending order");
  expect(() => new Crowd({ most: 3, room: 2 })).toThrow("must be in ascending order");
});
