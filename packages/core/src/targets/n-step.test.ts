import { expect, it } from "vitest";
import { nStepReturns } from "./n-step.ts";
import { discountedReturns, tdLambda } from "./td-lambda.ts";
import { example, expectClose } from "./testing.ts";

const gamma = 0.5;
const returnsOf = (n: number) => Array.from(nStepReturns({ gamma, n })(example()).return.data);

it("by hand, for one, two and three steps", () => {
  // One step: 1 + 10, 2, 3 + 20, 4 + 3.5, 5 + 30, 6 + 4.
  expectClose(returnsOf(1), [11, 2, 23, 7.5, 35, 10]);
  expectClose(returnsOf(2), [2, 2, 6.75, 7.5, 10, 10]);
  expectClose(returnsOf(3), [2, 2, 6.75, 7.5, 10, 10]);
});

it("with as many steps as there are it is the discounted return", () => {
  expectClose(returnsOf(6), Array.from(discountedReturns({ gamma })(example()).return.data));
});

it("advantages are returns minus values", () => {
  const { advantage } = nStepReturns({ gamma, n: 1 })(example());
  expectClose(advantage, [1, -18, -7, -32.5, -15, -50]);
});

it("TD(lambda) is the weighted average of all n-step returns", () => {
  const lambda = 0.7;
  const steps = [2, 1, 2, 1, 2, 1];
  const all = [1, 2].map(returnsOf);
  const mixed = steps.map((left, t) =>
    left === 1 ? all[0][t] : (1 - lambda) * all[0][t] + lambda * all[1][t],
  );
  expectClose(tdLambda({ gamma, lambda })(example()).return, mixed);
  expect(mixed[0]).not.toBeCloseTo(all[0][0]);
});
