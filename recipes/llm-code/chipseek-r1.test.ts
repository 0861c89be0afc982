import { expect, it } from "vitest";
import { execute, judged } from "../shared/circuits.ts";
import type { Program } from "../shared/code-rewards.ts";
import { curriculum, stagesOf, standardised } from "./chipseek-r1.parts.ts";

// The second step is not needed.
const reference = "&ab|pc^pd";
const specification = { reference, wanted: execute(reference).output, needed: 2 };
const program = (text: string): Program => ({ ...specification, ...judged(text, specification), text });

it("unlocks each stage by the one before", () => {
  expect(stagesOf(program("&ab|p"))).toEqual({ syntax: 0, function: 0, area: 0 });
  expect(stagesOf(program("&ab^qd"))).toEqual({ syntax: 1, function: 0, area: 0 });
  expect(stagesOf(program("&ab"))).toEqual({ syntax: 1, function: 0, area: 0 });
  expect(stagesOf(program(reference))).toEqual({ syntax: 1, function: 1, area: 1 });
  expect(stagesOf(program("&ab^pd"))).toEqual({ syntax: 1, function: 1, area: 1.5 });
});

it("standardises in a group of eight", () => {
  const first = (passed: number) => standardised(Array.from({ length: 8 }, (_, i) => Number(i < passed)))[0];
  expect([7, 6, 4, 3].map((n) => first(n).toFixed(4))).toEqual(["0.3536", "0.5401", "0.9354", "1.2076"]);
  expect(standardised([1.5, 1.5])).toEqual([0, 0]);
});

it("lowers the weight of what succeeds", () => {
  expect(curriculum(0.1, 15 / 16)).toBeCloseTo(0.09625, 12);
  expect(curriculum(0.3, 12 / 16)).toBeCloseTo(0.295, 12);
  expect(curriculum(1, 1)).toBeCloseTo(0.9, 12);
});
