import { compile, exp, gt, mul, random, type Tensor, tensor, valueAndGradient } from "@reins/tensor";
import { expect, it } from "vitest";
import { expectClose } from "../targets/testing.ts";
import { balanced } from "./balanced-clip.ts";
import { clipped } from "./policy-gradient.ts";

type Bounds = { low: number; high: number; good: number };

/** The loss of each step, and the chosen bounds. */
function run(ratios: Tensor, advantages: Tensor, columns = {}, options = {}): Bounds & { loss: Tensor } {
  const reported: Record<string, number> = {};
  const loss = balanced(options)({
    ratio: ratios,
    advantage: advantages,
    columns,
    logProb: ratios,
    report: (name, t) => {
      reported[name] = t.item();
    },
  });
  return { loss, low: reported["policy/low"], high: reported["policy/high"], good: reported["policy/good"] };
}

/** The direct search: move one bound at a time, and check again. */
function searched(ratios: ArrayLike<number>, advantages: ArrayLike<number>, share: number): Bounds {
  const shareOf = (low: number, high: number) => {
    let [good, bad] = [0, 0];
    for (let i = 0; i < ratios.length; i++) {
      const mass = ratios[i] * Math.abs(advantages[i]);
      if (advantages[i] > 0 && ratios[i] <= high) good += mass;
      if (advantages[i] < 0 && ratios[i] >= low) bad += mass;
    }
    return good + bad > 0 ? good / (good + bad) : 1;
  };
  let [low, high] = [0.6, 1.2];
  const first = shareOf(low, high);
  while (shareOf(low, high) < share && low + 0.05 < 0.901) {
    if (high + 0.05 < 3.001) high += 0.05;
    else low += 0.05;
  }
  return { low, high, good: first };
}

it("finds the bounds of a step-by-step search, for every share of positive advantages", () => {
  const found = new Set<number>();
  for (let seed = 0; seed < 60; seed++) {
    const [a, b] = random.splitKey(random.key(seed), 2);
    const ratios = exp(mul(random.normal(a, [24]), 0.5));
    const advantages = random.normal(b, [24]).add((seed % 5) * 0.3 - 1);
    const expected = searched(ratios.data, advantages.data, 0.45);
    const { low, high, good } = run(ratios, advantages, {}, { share: 0.45 });
    expect([low, high, good].map((x) => x.toFixed(4))).toEqual(
      [expected.low, expected.high, expected.good].map((x) => x.toFixed(4)),
    );
    found.add(Math.round(100 * low + 10000 * high));
  }
  expect(found.size).toBeGreaterThan(10);
});

it("by hand: the upper bound lets through the one positive advantage that is needed", () => {
  // 1.3 of good against 1 of bad at a high of 1.3; nothing of good below it.
  const { low, high, good, loss } = run(tensor([1.3, 2, 1]), tensor([1, 1, -1]));
  expect([low, high, good]).toEqual([expect.closeTo(0.6, 5), expect.closeTo(1.3, 5), 0]);
  expectClose(loss, [-1.3, -1.3, 1]);
});

it("by hand: if positive advantages do not suffice, the lower bound clips negative ones", () => {
  const ratios = tensor([1, 0.7, 1]);
  const { low, high } = run(ratios, tensor([1, -2, -0.5]));
  expect([low, high]).toEqual([expect.closeTo(0.75, 5), expect.closeTo(3, 5)]);
  const { gradient } = valueAndGradient((r: Tensor) =>
    balanced()({ ratio: r, advantage: tensor([1, -2, -0.5]), columns: {}, logProb: r }).sum(),
  )(ratios);
  expectClose(gradient, [-1, 0, 0.5]);
});

it("is plain clipping if positive advantages have their share, or all are 0", () => {
  const [ratios, advantages] = [tensor([1.1, 1.5, 0.5]), tensor([1, 1, -1])];
  expectClose(run(ratios, advantages).loss, [
    ...clipped(0.4, 0.2)({ ratio: ratios, advantage: advantages, columns: {}, logProb: ratios }).data,
  ]);
  const flat = run(ratios, tensor([0, 0, 0]));
  expect([flat.low, flat.high, flat.good]).toEqual([expect.closeTo(0.6, 5), expect.closeTo(1.2, 5), 0]);
});

it("ignores masked steps, compiled or not", () => {
  const ratios = tensor([
    [1, 1],
    [1.25, 1],
  ]);
  const advantages = tensor([
    [-1, -5],
    [1, 2],
  ]);
  const alive = gt(
    tensor([
      [1, 0],
      [1, 0],
    ]),
    0,
  );
  const { high, loss } = run(ratios, advantages, { alive });
  expect(high).toBeCloseTo(1.25, 5);
  const traced = compile((r: Tensor, a: Tensor, c: Tensor) =>
    balanced()({ ratio: r, advantage: a, columns: { alive: c }, logProb: r }),
  );
  expectClose(traced(ratios, advantages, alive), [...loss.data]);
});

it("rejects bounds that cannot move", () => {
  const backwards = { from: 2, to: 1, step: 0.1 };
  expect(() => balanced({ high: backwards })).toThrow("a bound cannot move from 2 to 1");
});
