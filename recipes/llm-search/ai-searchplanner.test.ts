import { expect, it } from "vitest";
import { calls, outcome } from "../shared/testing-tools.ts";
import { planReward, rationality } from "./ai-searchplanner.parts.ts";

it("a plan is rational by its needed calls", () => {
  expect(rationality(outcome({ done: 2, ...calls("f(h)=i", "g(i)=j") }))).toBe(1);
  expect(rationality(outcome({ done: 1, ...calls("f(h)=i") }))).toBe(0.5);
  // One needed call of four; a failed call does not count.
  expect(rationality(outcome({ done: 1, ...calls("g(h)=a", "f(h)", "f(h)=i", "f(i)=a", "f(a)=b") }))).toBe(
    0.25,
  );
  expect(rationality(outcome({ known: true }))).toBe(1);
  expect(rationality(outcome({ known: true, ...calls("f(a)=j") }))).toBe(0);
});

it("AI-SearchPlanner adds rationality to the outcome, and subtracts the cost of all calls", () => {
  const reward = planReward({ process: 0.5, cost: 0.4 });
  // 1 + 0.5 · 1 − 0.4 · 3/8
  const made = calls("f(h)", "f(h)=i", "g(i)=j");
  expect(reward(outcome({ right: true, done: 2, ...made }))).toBeCloseTo(1.35, 12);
  expect(reward(outcome())).toBe(0);
});
