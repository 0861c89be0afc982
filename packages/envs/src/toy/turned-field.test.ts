import { expect, it } from "vitest";
import { evaluatePolicy } from "../tabular/evaluate.ts";
import { valueIteration } from "../tabular/solve.ts";
import { startValue } from "../tabular/values.ts";
import { rotatedFieldModel } from "./turned-field.ts";

const gamma = 0.9;
/** The value of the optimal policy for one angle at another. */
const moved = (from: number, to: number) => {
  const { policy } = valueIteration(rotatedFieldModel({ turn: from }), { gamma });
  const mdp = rotatedFieldModel({ turn: to });
  return startValue(mdp, evaluatePolicy(mdp, policy, { gamma }));
};

it("is eight steps away at whole quarters, and further between them", () => {
  for (const turn of [0, 1, 2, -1]) expect(moved(turn, turn)).toBeCloseTo(gamma ** 7);
  expect(moved(0.5, 0.5)).toBeLessThan(moved(0.1, 0.1));
});

it("has policies whose value falls with the angle, to 0 half a turn away", () => {
  expect(moved(0, 0.2)).toBeLessThan(moved(0, 0));
  expect(moved(0, 0.6)).toBeLessThan(moved(0, 0.2));
  expect(moved(0, 2)).toBe(0);
});
