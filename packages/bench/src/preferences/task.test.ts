import { defaultRng } from "@reins/core/random";
import { expect, it } from "vitest";
import { label, precision, utility, wellFormed, writing } from "./task.ts";

it("values the first two letters, those of the prompt more, and no line break", () => {
  expect(utility("ah:", "a\nh")).toBeCloseTo((1 + 0.5) / 2);
  expect(utility("bc:", "a\nh")).toBeCloseTo((0.5 + 0) / 2);
  expect(utility("ah:", "ahb")).toBe(utility("ah:", "a\nh"));
  expect(utility("ah:", "a\n")).toBeCloseTo(0.5);
  expect(utility("ah:", "\n\n")).toBe(0);
  expect(["a\nh", "ahb", "a\n"].map(wellFormed)).toEqual([true, false, false]);
});

const pairs = (task: ReturnType<typeof writing>, count: number) => {
  const random = defaultRng(1);
  return Array.from({ length: count }, () => task.make(random, 1));
};

it("labels pairs as a Bradley-Terry model does, recorded ones and those that are asked for", () => {
  let [expected, recorded, asked] = [0, 0, 0];
  const all = pairs(writing(2), 4000);
  for (const { prompt, candidates } of all) {
    const [one, other] = candidates!;
    const gap = utility(prompt, one.text) - utility(prompt, other.text);
    const better = Math.sign(gap);
    expected += better / (1 + Math.exp(-precision * gap));
    recorded += better * one.score;
    const own = label(prompt, one.text, other.text);
    asked += better * own;
    expect(own + label(prompt, other.text, one.text)).toBe(1);
  }
  expect(recorded / all.length).toBeCloseTo(expected / all.length, 1);
  expect(asked / all.length).toBeCloseTo(expected / all.length, 1);
});

it("ranks lists, and lets half of the completions share the first line of the first one", () => {
  const all = pairs(writing(4), 500);
  for (const { candidates } of all)
    expect(candidates!.map(({ score }) => Math.round(3 * score)).sort()).toEqual([0, 1, 2, 3]);
  const shared = all.map(({ candidates }) =>
    candidates!.slice(1).filter((c) => c.text[0] === candidates![0].text[0]),
  );
  const share = shared.flat().length / (3 * all.length);
  // One in eight of the others has the same letter by chance.
  expect(share).toBeCloseTo(0.5 + 0.5 / 8, 1);
});
