import { expect, it } from "vitest";
import { extra } from "./dars.ts";

it("samples hard problems until their advantages sum to 2 (1 − p) times those of a medium one", () => {
  // p = 1/4, n = 8: a sample's mean absolute advantage is 2 √(3/16) = 0.866, and 1.5 · 8 / 0.866 = 13.86.
  expect(extra(0.25, 8)).toBe(6);
  // p = 0 counts as 1/16: 2 √(15/256) = 0.484, and 1.875 · 8 / 0.484 = 30.98.
  expect(extra(0, 8)).toBe(23);
  expect([0.5, 0.75, 1].map((p) => extra(p, 8))).toEqual([0, 0, 0]);
  expect(extra(0, 8, 16)).toBe(8);
});
