import { defaultRng } from "@reins/core/random";
import { expect, it } from "vitest";
import * as parts from "./archgym.parts.ts";

it("has targets that a design meets, and most do not", () => {
  const random = defaultRng(1);
  const workload = parts.randomWorkload(random);
  const misses = Array.from({ length: 200 }, () => workload(parts.randomDesign(random)));
  expect(Math.min(...misses)).toBeGreaterThanOrEqual(0);
  expect(misses.filter((m) => m > 0.2).length).toBeGreaterThan(100);
});

/** Misses are the number of knobs that are not at level 0. */
const miss = (design: parts.Design) => design.filter((level) => level > 0).length;

it.each([
  ["genetic", parts.genetic({ population: 20, mutation: 0.05 }, defaultRng(2))],
  ["ant colony", parts.ants({ ants: 10, evaporation: 0.1 }, defaultRng(3))],
  ["REINFORCE", parts.reinforce({ batch: 16, learningRate: 1 }, defaultRng(4))],
])("finds separate optima of all knobs: %s", (_, search) => {
  let designs: parts.Design[] = [];
  for (let i = 0; i < 100; i++) {
    designs = search.ask();
    search.tell(designs, designs.map(miss));
  }
  expect(Math.min(...designs.map(miss))).toBeLessThanOrEqual(1);
});

it("walks within the levels", () => {
  const search = parts.randomWalk({ rate: 0.5, restart: 0.1 }, defaultRng(5));
  for (let i = 0; i < 50; i++)
    for (const design of search.ask())
      design.forEach((level, k) => expect(level).toBeLessThan(parts.levels[k]));
});
