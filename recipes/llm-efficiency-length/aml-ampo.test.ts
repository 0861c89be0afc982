import { expect, it } from "vitest";
import { calls, outcome } from "../shared/testing-tools.ts";
import { ampo, type ModeSample, modeAdvantages, sampleOf } from "./aml-ampo.parts.ts";

const sample = (mode: string, reward: number, length: number): ModeSample => ({ mode, reward, length });

it("a mode is better by its mean reward", () => {
  const group = [sample("a", 1, 1), sample("a", 1, 1), sample("b", 1, 3), sample("b", 0, 3)];
  const found = modeAdvantages(group)!;
  // Means 1 and 1/2: 0.25 above and below 0.75, with the deviation √(2 · 0.25²) = 0.3536.
  expect(found.get("a")).toBeCloseTo(Math.SQRT1_2, 4);
  expect(found.get("b")).toBeCloseTo(-Math.SQRT1_2, 4);
  // Within the group: mean 3/4, deviation 1/2.
  const all = [0.5, 0.5, 0.5, -1.5].map((a, i) => a + (i < 2 ? 1 : -1) * Math.SQRT1_2);
  for (const [i, advantage] of ampo(group, true).entries()) expect(advantage).toBeCloseTo(all[i], 4);
  expect(ampo(group, false)[3]).toBeCloseTo(-1.5, 4);
});

it("of modes with equal rewards the shorter one is better", () => {
  const group = [sample("a", 1, 0), sample("a", 1, 0), sample("b", 1, 2), sample("b", 1, 4)];
  const found = modeAdvantages(group)!;
  expect(found.get("a")).toBeCloseTo(Math.tanh(Math.SQRT1_2), 4);
  expect(found.get("b")).toBeCloseTo(-Math.tanh(Math.SQRT1_2), 4);
});

it("a mode with a single sample has no advantage", () => {
  expect(modeAdvantages([sample("a", 1, 1), sample("b", 1, 1), sample("b", 0, 1)])).toBeUndefined();
  expect(modeAdvantages([sample("a", 1, 1), sample("a", 0, 1)])).toBeUndefined();
});

it("modes are answering at once and with calls", () => {
  expect(sampleOf(outcome({ right: true }))).toEqual(sample("at once", 1, 0));
  expect(sampleOf(outcome(calls("f(h)", "f(h)=i")))).toEqual(sample("calls", 0, 2));
});
