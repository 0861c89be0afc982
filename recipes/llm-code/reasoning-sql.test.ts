import { expect, it } from "vitest";
import { execute, judged } from "../shared/circuits.ts";
import type { Program } from "../shared/code-rewards.ts";
import { jaccard, linked, partialRewards } from "./reasoning-sql.parts.ts";

const reference = "&ab|pc^qd";
const specification = { reference, wanted: execute(reference).output, needed: 3 };
const program = (text: string): Program => ({ ...specification, ...judged(text, specification), text });

it("links inputs, and ignores others", () => {
  expect(linked("&ab|pa", "&ab|pc")).toBeCloseTo(2 / 3, 12);
  expect(linked("&ab|cd", "&ab|pa")).toBe(1);
});

it("compares pairs of words without register names", () => {
  // &a ab b| |c c^ ^d, and &a ab b| |d d^ ^d: four of eight are common.
  expect(jaccard("&ab|pd^qd", reference)).toBe(0.5);
  expect(jaccard("&ab|zc^zd", reference)).toBe(1);
  expect(jaccard("", "&")).toBe(0);
});

it("adds the partial rewards to that of execution", () => {
  expect(partialRewards(true)(program(reference))).toBe(2 + 1 + 1 + 1);
  // It runs, reads three of four inputs, and has half of the bigrams.
  expect(partialRewards(true)(program("&ab|pd^qd"))).toBe(1 + 0.75 + 0.5);
  // It reads a register before it is written.
  expect(partialRewards(true)(program("&ab|zc^zd"))).toBe(1 + 1);
  // It does not parse, so that no inputs are linked.
  expect(partialRewards(true)(program("&ab|pc^q"))).toBeCloseTo(5 / 6, 12);
  expect(partialRewards(false)(program("&ab|pd^qd"))).toBe(1);
  expect(partialRewards(false)(program(reference))).toBe(3);
});
