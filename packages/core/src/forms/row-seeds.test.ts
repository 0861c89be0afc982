import { expect, it } from "vitest";
import { stream } from "../stream.ts";
import { rowSeeds } from "./row-seeds.ts";

it("gives row 0 the seed itself and the others children, regardless of their number", () => {
  expect(rowSeeds(7, 3, "Here-v0")).toEqual([7, stream(7, "row", 1), stream(7, "row", 2)]);
  expect(rowSeeds(7, 5, "Here-v0").slice(0, 3)).toEqual(rowSeeds(7, 3, "Here-v0"));
});

it("shares no row between neighbouring seeds", () => {
  const all = Array.from({ length: 100 }, (_, seed) => rowSeeds(seed, 100, "Here-v0")).flat();
  expect(new Set(all).size).toBe(all.length);
});

it("uses a list unchanged", () => {
  expect(rowSeeds([3, 4, 4], 3, "Here-v0")).toEqual([3, 4, 4]);
});

it("rejects lists of another length and invalid seeds", () => {
  expect(() => rowSeeds([1, 2], 3, "Here-v0")).toThrow(
    "Here-v0: reset() got 2 seeds for 3 copies. Pass one per copy, or one number for all.",
  );
  expect(() => rowSeeds([1, 0.5], 2, "Here-v0")).toThrow(
    "Here-v0: reset() got the seed 0.5; it must be a whole number from 0.",
  );
  expect(() => rowSeeds(-1, 2, "Here-v0")).toThrow("the seed -1");
});
