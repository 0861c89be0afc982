import type { Episode, Judge } from "@reins/core";
import { Statistics } from "@reins/core/metrics";
import * as targets from "@reins/core/targets";
import { expect, it } from "vitest";
import { forward, noisy, observed, plain } from "./rlvr-noisy-verifier.parts.ts";

const channel = { falsePositive: 0.1, falseNegative: 0.3 };

it("accepts and rejects at the rates of the channel", () => {
  const at = [0.05, 0.2, 0.35];
  expect(at.map((u) => observed(true, channel, u))).toEqual([false, false, true]);
  expect(at.map((u) => observed(false, channel, u))).toEqual([true, false, false]);
});

it("has weights of expectation 0 for a correct answer, and of minus the informedness for a wrong one", () => {
  const [yes, no] = [forward(true, channel), forward(false, channel)];
  expect([yes, no]).toEqual([0.3, -0.7]);
  expect(0.7 * yes + 0.3 * no).toBeCloseTo(0, 12);
  expect(0.1 * yes + 0.9 * no).toBeCloseTo(-(1 - 0.1 - 0.3), 12);
});

it("would not change group-relative advantages", () => {
  const accepted = [true, false, false, true, false];
  const relative = (of: typeof forward) =>
    targets.groupRelative(
      accepted.map((a) => of(a, channel)),
      accepted.map(() => 0),
    );
  relative(forward).forEach((a, i) => expect(a).toBeCloseTo(relative(plain)[i], 5));
});

it("keeps the true score", async () => {
  const inner: Judge = (episodes) => episodes.map((_, i) => ({ reward: i % 2 }));
  const numbers = [0.05, 0.05, 0.5, 0.5];
  const judge = noisy(inner, channel, forward, () => numbers.shift()!);
  const verdicts = await judge(
    Array.from({ length: 4 }, () => ({}) as Episode),
    {
      statistics: new Statistics(),
    },
  );
  expect(verdicts.map((v) => v.score)).toEqual([0, 1, 0, 1]);
  expect(verdicts.map((v) => v.reward)).toEqual([0.3, -0.7, -0.7, 0.3]);
});
