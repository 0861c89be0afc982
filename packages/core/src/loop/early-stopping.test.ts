import { tensor } from "@reins/tensor";
import { expect, it } from "vitest";
import { EarlyStopping } from "./early-stopping.ts";

/** Notes losses, the weight being their number; returns the final weight and when it stopped. */
function after(losses: readonly number[], patience: number, resumeAt = -1) {
  const weights = { w: tensor([0]) };
  let stopping = new EarlyStopping(weights, patience);
  let stoppedAt = -1;
  losses.forEach((loss, i) => {
    if (i === resumeAt) {
      const saved = stopping.save();
      stopping = new EarlyStopping(weights, patience);
      stopping.restore(saved);
    }
    if (stopping.stopped) return;
    weights.w.data[0] = i + 1;
    stopping.note(loss);
    if (stopping.stopped) stoppedAt = i;
  });
  return [weights.w.data[0], stoppedAt];
}

it("stops after losses that are not lower, with the weights of the lowest", () => {
  expect(after([3, 2, 2.5, 1, 1, 1.5, 0.5], 2)).toEqual([4, 5]);
  expect(after([3, 2, 1], 1)).toEqual([3, -1]);
  expect(after([3, Number.NaN, Number.NaN, 1], 2)).toEqual([1, 2]);
});

it("continues from its saved state", () => {
  expect(after([3, 2, 2.5, 1, 1, 1.5, 0.5], 2, 5)).toEqual(after([3, 2, 2.5, 1, 1, 1.5, 0.5], 2));
});
