import { expect, it } from "vitest";
import { calls, outcome } from "../shared/testing-tools.ts";
import { charged, successGated } from "./xrouter.parts.ts";

const three = calls("f(h)", "f(h)=i", "g(i)=j");

it("xRouter charges correct answers for their calls, up to a limit", () => {
  expect(successGated(outcome({ right: true }))).toBe(1);
  expect(successGated(outcome({ right: true, ...three }))).toBeCloseTo(0.7, 12);
  const nine = calls(...Array.from({ length: 9 }, () => "f(h)"));
  expect(successGated(outcome({ right: true, ...nine }))).toBeCloseTo(0.2, 12);
  expect(successGated(outcome(three))).toBe(0);
});

it("without the gate wrong answers are charged too", () => {
  expect(charged(outcome(three))).toBeCloseTo(-0.3, 12);
  expect(charged(outcome({ right: true, ...three }))).toBeCloseTo(0.7, 12);
});
