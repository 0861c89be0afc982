import type { Episode } from "@reins/core";
import { makers, pack } from "@reins/core/episodes";
import { tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { c3po, withinBudget } from "./ring-lite.parts.ts";

it("takes whole answers until the budget is used up, and truncates the last", () => {
  expect(withinBudget([3, 4, 2, 5], [2, 0, 3, 1], 8)).toEqual([3, 0, 2, 3]);
  expect(withinBudget([3, 4], [1, 0], 100)).toEqual([3, 4]);
});

/** An answer after a prompt of two steps. */
const answer = (group: string, length: number): Episode => ({
  columns: {
    by: tensor(
      Uint8Array.from([
        ...Array.from({ length: 2 }, () => makers.indexOf("environment")),
        ...Array.from({ length }, () => makers.indexOf("policy")),
      ]),
    ),
  },
  segments: [],
  terminated: true,
  truncated: false,
  return: [],
  group,
});
const batch = pack([answer("a", 3), answer("a", 5)]);
const rewards = Float64Array.of(1, 0);
const advantages = (budget: number, selects: boolean) =>
  [...Array.from(c3po({ budget, selects })({}).target(batch, rewards, []).advantage)].map((a) => a || 0);

it("has an update of as many tokens as the budget, divided by the budget", () => {
  const found = advantages(4, true);
  expect(found.filter((a) => a !== 0)).toHaveLength(4);
  // The prompts' steps are the first two of each answer. 8 tokens in the batch: twice the advantages ±√½.
  expect([0, 1, 5, 6].map((i) => found[i])).toEqual([0, 0, 0, 0]);
  for (const a of found.filter((a) => a !== 0)) expect(Math.abs(a)).toBeCloseTo(Math.SQRT2, 5);
});

it("without selection has all tokens, still divided by the budget", () => {
  const expected = [0, 0, 1, 1, 1, 0, 0, -1, -1, -1, -1, -1].map((sign) => sign * Math.SQRT2);
  advantages(4, false).forEach((a, i) => expect(a).toBeCloseTo(expected[i], 5));
});
