import { expect, it } from "vitest";
import { execute, judged } from "../shared/circuits.ts";
import type { Program } from "../shared/code-rewards.ts";
import { guided, matching, similarity } from "./verireason.parts.ts";

const reference = "&ab|pc^qd";
const specification = { reference, wanted: execute(reference).output, needed: 3 };
const program = (text: string): Program => ({ ...specification, ...judged(text, specification), text });

it("matches blocks as difflib does", () => {
  // The longest block is b c; x and a are not left of it in both.
  expect(matching([..."abcx"], [..."xbca"])).toBe(2);
  expect(matching([..."abxcd"], [..."abcd"])).toBe(4);
  expect(matching([..."ab"], [..."cd"])).toBe(0);
});

it("weighs similarity, coverage and redundancy", () => {
  expect(similarity(reference, reference)).toBe(1);
  // Two of three statements match: ratio 4/6, coverage 2/3, redundancy 1/3.
  expect(similarity("&ab|pd^qd", reference)).toBeCloseTo(0.7 * (2 / 3) + 0.3 * (2 / 3) - 0.2 / 3, 12);
  // One statement of two matches: ratio 2/5, coverage 1/3, redundancy 1/2.
  expect(similarity("&ab&pd", reference)).toBeCloseTo(0.28 + 0.1 - 0.1, 12);
  expect(similarity("&cc", reference)).toBe(0);
});

it("gates by compilation, and by the test bench", () => {
  expect(guided(true)(program("&ab|p"))).toBe(0);
  expect(guided(true)(program(reference))).toBe(2.1);
  expect(guided(true)(program("&ab|pc^dq"))).toBe(2.1);
  expect(guided(true)(program("&ab|pd^qd"))).toBeCloseTo(0.1 + 0.6, 12);
  // A program that fails while running compiles.
  expect(guided(true)(program("&ab|zc^qd"))).toBeCloseTo(0.1 + 0.6, 12);
  expect(guided(false)(program("&ab|pd^qd"))).toBe(0.1);
});
