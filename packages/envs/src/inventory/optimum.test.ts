import { expect, it } from "vitest";
import { lostSalesOptimum } from "./optimum.ts";

it("finds the optimal costs that Zipkin (2008) published", () => {
  expect(lostSalesOptimum({ leadTime: 2, onHand: 20, order: 12 })).toBeCloseTo(6.09, 2);
  expect(lostSalesOptimum({ leadTime: 3, onHand: 22, order: 10 })).toBeCloseTo(6.53, 2);
});

it("rejects an inventory whose orders arrive at once", () => {
  expect(() => lostSalesOptimum({ leadTime: 1 })).toThrow("Use 2 or more");
});
