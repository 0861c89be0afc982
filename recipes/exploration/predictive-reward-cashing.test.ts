import { expect, it } from "vitest";
import * as hunts from "./predictive-reward-cashing.parts.ts";

// Two sites in a row of a 4 × 4 grid, a map below the start.
const hunt = { size: 4, start: 0, map: 4, sites: [1, 3] };

it("values a policy for one site where the treasure is at another", () => {
  const cross = hunts.crossValues(hunt);
  expect(cross(0, 0, 0)).toBe(1);
  // The policy for the far site passes the near one, not the other way round.
  expect(cross(0, 0, 1)).toBe(1);
  expect(cross(0, 1, 0)).toBe(0);
  expect(cross(0, 1, 1)).toBeCloseTo(hunts.gamma ** 2, 12);
});

it("predicts by the policy with the highest expected value", () => {
  const prediction = hunts.predictions(hunt);
  expect(prediction(0, 0b11)).toEqual({ value: (1 + hunts.gamma ** 2) / 2, guess: 1 });
  expect(prediction(4, 0b01)).toEqual({ value: hunts.gamma, guess: 0 });
  expect(hunts.informedValue(hunt)(0, 0b11)).toBeCloseTo((1 + hunts.gamma ** 2) / 2, 12);
});

it("learns the site from the map, and from a site without treasure", () => {
  expect(hunts.updated(hunt, 0b11, 4, 1)).toBe(0b10);
  expect(hunts.updated(hunt, 0b11, 1, 1)).toBe(0b10);
  expect(hunts.updated(hunt, 0b11, 2, 1)).toBe(0b11);
  expect(hunts.pathTo(hunt, 0, 6)).toEqual([1, 2, 6]);
});

it("knows the optimal return", () => {
  // The near site first, then the far one.
  expect(hunts.optimalReturn(hunt)).toBeCloseTo((1 + hunts.gamma ** 2) / 2, 9);
  // Sites on opposite sides of the start: the map, one step away, saves the way to a wrong site.
  const apart = { size: 9, start: 40, map: 49, sites: [36, 44] };
  const guess = (hunts.gamma ** 3 + hunts.gamma ** 11) / 2;
  expect(hunts.optimalReturn(apart)).toBeCloseTo(Math.max(guess, hunts.gamma ** 5), 9);
});
