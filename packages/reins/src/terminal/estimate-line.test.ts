import { box, discrete } from "@reins/core";
import { expect, it } from "vitest";
import { estimateLine } from "./estimate-line.ts";

it("prints no interval beyond possible returns", () => {
  const spec = { id: "Test-v0", observation: box([1]), action: discrete(2) };
  const returns = [499, 480, 500];
  expect(estimateLine(returns, { ...spec, returnBounds: [0, 500] })).toContain(", 500]");
  expect(
    estimateLine([-1, -9, -2], {
      ...spec,
      maxSteps: 50,
      goals: { tolerance: 1, reward: "sparse", ends: true },
    }),
  ).toContain(", 0]");
});
