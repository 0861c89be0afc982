import type { Algorithm, RunOptions } from "@reins/core";
import { expect } from "vitest";
import { rounds, runOf, weightsOf } from "./testing.ts";

/**
 * Trains one round, saves, trains two more; then repeats those two from the save in a fresh run. Weights must have
 * changed and be bit-identical.
 */
export async function expectLearnsAndResumes(
  make: () => Algorithm,
  options: () => Partial<RunOptions> = () => ({}),
): Promise<void> {
  const straight = runOf(make(), options());
  const before = weightsOf(straight);
  await rounds(straight, 1);
  const saved = straight.save();
  const middle = weightsOf(straight);
  await rounds(straight, 2);
  const after = weightsOf(straight);
  expect(after).not.toEqual(before);
  expect(after.every(Number.isFinite)).toBe(true);
  const losses = Object.entries(straight.metrics).filter(([name]) => name.startsWith("loss/"));
  expect(losses.length).toBeGreaterThan(0);
  for (const [name, value] of losses) expect(value, name).toSatisfy(Number.isFinite);

  const resumed = runOf(make(), options());
  resumed.restore(saved);
  expect(weightsOf(resumed)).toEqual(middle);
  await rounds(resumed, 2);
  expect(weightsOf(resumed)).toEqual(after);
  expect({ ...resumed.metrics }).toEqual({ ...straight.metrics });
}
