import { add, mean, mul, random, type Tensor, tensor, valueAndGradient } from "@reins/tensor";
import { expect, it } from "vitest";
import type { LossInput, LossTerm } from "../loss.ts";
import { groupMeans } from "../targets/baselines.ts";
import { groupRelative } from "../targets/group.ts";
import { expectClose } from "../targets/testing.ts";
import { type NegativeAwareOptions, negativeAware } from "./negative-aware.ts";
import { policyGradient, unclipped } from "./policy-gradient.ts";

const reported: Record<string, Tensor> = {};
const material = (logProb: Tensor, columns: LossInput["columns"]): LossInput => ({
  scored: { logProb, entropy: mul(logProb, 0) },
  columns,
  key: random.key(0),
  report: (name, value) => {
    reported[name] = value;
  },
});
const gradientOf = (term: LossTerm, logProb: Tensor, columns: LossInput["columns"]) =>
  valueAndGradient((x: Tensor) => mean(term.value(material(x, columns))))(logProb).gradient;

/** Three problems, four answers each; a quarter, half and three quarters of them correct. */
const groups = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2];
const right = [1, 0, 0, 0, 1, 0, 0, 1, 1, 1, 0, 1];
const rate = groupMeans(right, groups);
const logProb = tensor(right.map((_, i) => -0.1 - 0.3 * i));
const columns = { right: tensor(right), rate: tensor([...rate]), logProb };

it("by hand: correct answers by their likelihood, wrong ones by the negative policy's", () => {
  const ratios = [2, 0.5, 1.5, 0.5];
  const own = { right: tensor([1, 0, 0, 0]), rate: tensor([0.25, 0.25, 0.25, 0.5]) };
  const values = (o: NegativeAwareOptions) =>
    negativeAware(o).value(material(tensor(ratios.map(Math.log)), { ...own, logProb: tensor([0, 0, 0, 0]) }));
  // Negative ratios: (1 − 0.25 · 0.5) / 0.75 = 7/6, (1 − 0.25 · 1.5) / 0.75 = 5/6, (1 − 0.5 · 0.5) / 0.5 = 3/2.
  const free = [Math.log(2), Math.log(7 / 6), Math.log(5 / 6), Math.log(3 / 2)];
  const held = [Math.log(2), Math.log(7 / 6), 0, Math.log(3 / 2)];
  const failures = [0.75, 0.75, 0.75, 0.5];
  expectClose(
    values({ weight: "even", least: 0.1 }),
    free.map((v) => -v),
  );
  expectClose(
    values({ weight: "even" }),
    held.map((v) => -v),
  );
  expect([...reported["policy/clipped"].data]).toEqual([0, 0, 1, 0]);
  expectClose(
    values({}),
    held.map((v, i) => -v * failures[i]),
  );
  expectClose(
    values({ weight: "odds" }),
    held.map((v, i) => -v * Math.sqrt(failures[i] / (1 - failures[i]))),
  );
  expectClose(
    values({ weight: "even", wrong: 0.5 }),
    held.map((v, i) => -v * (i === 0 ? 1 : 0.5)),
  );
});

it("has Dr. GRPO's gradient on-policy, and GRPO's with the odds as weight", () => {
  const policy = policyGradient({ ratio: unclipped });
  const gradients = (scale: "none" | "std") =>
    gradientOf(policy, logProb, {
      ...columns,
      advantage: tensor([...groupRelative(right, groups, { scale })]),
    });
  expectClose(gradientOf(negativeAware(), logProb, columns), [...gradients("none").data], 1e-6);
  // Advantages are scaled by the unbiased deviation, which is larger than the group's own by √(4 / 3).
  const odds = gradientOf(negativeAware({ weight: "odds" }), logProb, columns);
  expectClose(mul(odds, Math.sqrt(3 / 4)), [...gradients("std").data], 1e-5);
});

it("without wrong answers it imitates the correct ones", () => {
  const gradient = gradientOf(negativeAware({ weight: "even", wrong: 0 }), add(logProb, 0.3), columns);
  expectClose(
    gradient,
    right.map((r) => -r / right.length),
  );
});

it("gradients match finite differences without clipping, and are kept with it", () => {
  const shift = [0.2, 0.1, -0.3, 0.4, -0.2, -0.5, 0.3, 0.1, 0.5, -0.4, 0.05, 0];
  const at = add(logProb, tensor(shift));
  for (const weight of ["even", "failures", "odds"] as const) {
    const term = negativeAware({ weight, least: 1e-3 });
    const gradient = gradientOf(term, at, columns);
    const loss = (x: Tensor) => mean(term.value(material(x, columns))).item();
    const step = 1e-2;
    for (let i = 0; i < right.length; i++) {
      const moved = (by: number) => add(at, tensor(right.map((_, k) => (k === i ? by : 0))));
      expect(gradient.data[i]).toBeCloseTo((loss(moved(step)) - loss(moved(-step))) / (2 * step), 3);
    }
  }
  const ratio = Math.exp(0.4);
  const { data } = gradientOf(negativeAware({ weight: "even" }), at, columns);
  // Answer 3 is wrong, has become likelier, and is bounded at 1: the slope is r · ratio / (1 − r).
  expect(data[3]).toBeCloseTo((0.25 * ratio) / 0.75 / right.length, 6);
});

it("problems that are always or never solved give finite numbers", () => {
  const flat = { right: tensor([1, 0]), rate: tensor([1, 0]), logProb: tensor([-1, -1]) };
  for (const weight of ["even", "failures", "odds"] as const) {
    const { data } = gradientOf(negativeAware({ weight }), tensor([-0.5, 20]), flat);
    expect([...data].every(Number.isFinite)).toBe(true);
  }
});
