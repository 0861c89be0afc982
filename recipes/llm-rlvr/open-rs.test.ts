import { expect, it } from "vitest";
import { right, wrong } from "../shared/testing-answers.ts";
import { cosineReward, openRs } from "./open-rs.parts.ts";

it("falls along a cosine from the shortest answer to the limit", () => {
  const at = (right: boolean) => [0, 6, 12].map((length) => cosineReward(right, length, 12));
  expect(at(true)[0]).toBe(1);
  expect(at(true)[1]).toBeCloseTo(0.75, 12);
  expect(at(true)[2]).toBe(0.5);
  expect(at(false)[0]).toBe(0);
  expect(at(false)[1]).toBeCloseTo(-0.25, 12);
  expect(at(false)[2]).toBe(-0.5);
});

it("adds the reward for the format to twice the reward for correctness", () => {
  const group = [right(6, { text: "ab#b" }), wrong(12, { text: "aab" }), wrong(12, { text: "a#b#b" })];
  const rewards = (scaled: boolean) => openRs({ limit: 12, mark: "#", scaled })()([group])[0];
  const expected = [1 + 2 * 0.75, -1, -1];
  for (const [i, r] of rewards(true).entries()) expect(r).toBeCloseTo(expected[i], 12);
  expect(rewards(false)).toEqual([3, 0, 0]);
});
