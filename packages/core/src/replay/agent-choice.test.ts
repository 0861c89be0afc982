import { compile, random, scalar, type Tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { perAgentSampler } from "./agent-choice.ts";

it("gives each agent its own entries, uniformly over time", () => {
  const chooser = perAgentSampler(3)(30, 3000);
  const pick = compile((size: Tensor, key: Tensor) => chooser.pick(3000, key, size).index);
  const index = Array.from(pick(scalar(12, "i32"), random.key(1)).data);
  expect(index.every((slot, i) => slot % 3 === i % 3 && slot >= 0 && slot < 12)).toBe(true);
  const counts = Array.from({ length: 12 }, (_, slot) => index.filter((i) => i === slot).length);
  for (const n of counts) expect(Math.abs(n - 250)).toBeLessThan(80);
});

it("rejects sizes that would mix agents", () => {
  expect(() => perAgentSampler(3)(32, 6)).toThrow(
    "the capacity is 32; it must be a multiple of the 3 agents",
  );
  expect(() => perAgentSampler(3)(30, 8)).toThrow("the batch is 8");
});
