import { expect, it } from "vitest";
import { evaluatePolicy } from "../tabular/evaluate.ts";
import { valueIteration } from "../tabular/solve.ts";
import { startValue } from "../tabular/values.ts";
import { twoGoalsModel } from "./two-goals.ts";

it("walking the four steps to the better goal is optimal", () => {
  const mdp = twoGoalsModel();
  expect(startValue(mdp, valueIteration(mdp, { gamma: 1 }).values)).toBeCloseTo(1 - 4 * 0.01, 10);
});

it("a random walk finds both goals equally often", () => {
  const mdp = twoGoalsModel({ cost: 0 });
  const random = new Float64Array(mdp.states * mdp.actions).fill(0.25);
  expect(startValue(mdp, evaluatePolicy(mdp, random, { gamma: 1 }))).toBeCloseTo(0.75, 10);
});
