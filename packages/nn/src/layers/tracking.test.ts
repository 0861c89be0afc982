import { compile, leaves, mul, random, sum, type Tensor, tensor, valueAndGradient } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import {
  batchNorm,
  linear,
  runningNorm,
  statefulEnsemble,
  statefulSequential,
  unstackMember,
} from "../index.ts";
import { expectGradient } from "../testing.ts";

const key = random.key(3);
const x = tensor([
  [1, 10],
  [3, 14],
]);
const close = (t: Tensor, wanted: readonly number[], digits = 5) => {
  [...t.data].forEach((value, i) => void expect(value).toBeCloseTo(wanted[i], digits));
};

describe("batchNorm", () => {
  it("normalises by the batch in training, and by running statistics otherwise", () => {
    const norm = batchNorm(2, { momentum: 0.75, epsilon: 0 });
    const params = norm.init(key);
    const { output, statistics } = norm.learn(params, norm.start(), x);
    close(output, [-1, -1, 1, 1]);
    // Means 2 and 12, variances 1 and 4, a quarter of the way from 0 and 1.
    close(statistics.mean, [0.5, 3]);
    close(statistics.variance, [1, 1.75]);
    expect(statistics.batches.item()).toBe(1);
    close(norm.apply(params, statistics, x), [0.5, 7 / Math.sqrt(1.75), 2.5, 11 / Math.sqrt(1.75)]);
  });

  it("has a scale and a shift, and a gradient through the batch's statistics", () => {
    const norm = batchNorm(2);
    const params = { scale: tensor([2, -1]), shift: tensor([0.5, 0]) };
    const given = { params, y: random.normal(key, [5, 2]) };
    const weights = random.normal(random.key(4), [5, 2]);
    expectGradient(
      (g: typeof given) => sum(mul(norm.learn(g.params, norm.start(), g.y).output, weights)),
      given,
    );
  });

  it("renormalises after the warm-up: then training and inference agree", () => {
    const norm = batchNorm(2, { renormAfter: 1, epsilon: 0, momentum: 0.5 });
    const params = norm.init(key);
    const first = norm.learn(params, norm.start(), x);
    close(first.output, [-1, -1, 1, 1]);
    const known = { ...first.statistics, mean: tensor([1.5, 11]), variance: tensor([2, 4]) };
    const second = norm.learn(params, known, x);
    close(second.output, [...norm.apply(params, known, x).data]);
    // The correction of a batch far from all others is limited to 5 standard deviations.
    const far = norm.learn(params, { ...known, mean: tensor([-100, -100]) }, x);
    close(far.output, [5 - 1 / Math.SQRT2, 4, 5 + 1 / Math.SQRT2, 6]);
  });

  it("is not moved by gradients", () => {
    const norm = batchNorm(2);
    const statistics = norm.start();
    const { gradient } = valueAndGradient((y: Tensor) =>
      sum(norm.learn(norm.init(key), statistics, y).statistics.mean),
    )(x);
    close(gradient, [0, 0, 0, 0]);
  });
});

describe("runningNorm", () => {
  it("has the mean and variance of all rows, independent of the batches", () => {
    const norm = runningNorm(3);
    const rows = random.normal(key, [12, 3]).mul(3).add(5);
    const part = (from: number, to: number) =>
      tensor([...rows.data.slice(3 * from, 3 * to)], { shape: [to - from, 3] });
    const whole = norm.learn({}, norm.start(), rows).statistics;
    const parts = [part(0, 2), part(2, 9), part(9, 12)].reduce(
      (s, y) => norm.learn({}, s, y).statistics,
      norm.start(),
    );
    close(parts.mean, [...whole.mean.data], 4);
    close(parts.variance, [...whole.variance.data], 3);
    const column = Array.from({ length: 12 }, (_, i) => rows.data[3 * i]);
    const mean = column.reduce((a, b) => a + b) / 12;
    expect(whole.mean.data[0]).toBeCloseTo(mean, 3);
    expect(whole.variance.data[0]).toBeCloseTo(column.reduce((a, b) => a + (b - mean) ** 2, 0) / 12, 2);
  });
});

describe("layers with running statistics", () => {
  const network = statefulSequential(batchNorm(2), linear({ inputs: 2, outputs: 3 }), "relu", batchNorm(3));

  it("can be chained, each with its own statistics", () => {
    const params = network.init(key);
    const { output, statistics } = compile((y: Tensor) => network.learn(params, network.start(), y))(x);
    expect(output.shape).toEqual([2, 3]);
    expect(leaves(statistics).map((t) => t.shape.join())).toEqual(["2", "2", "", "3", "3", ""]);
  });

  it("form an ensemble whose members match separate layers", () => {
    const both = statefulEnsemble(network, { members: 2 });
    const params = both.init(key);
    const seen = both.learn(params, both.start(), x);
    for (const i of [0, 1]) {
      const alone = network.learn(unstackMember(params, i), network.start(), x);
      close(unstackMember(seen.output, i), [...alone.output.data]);
      leaves(unstackMember(seen.statistics, i)).forEach((t, k) => {
        close(t, [...leaves(alone.statistics)[k].data]);
      });
      close(unstackMember(both.apply(params, seen.statistics, x), i), [
        ...network.apply(unstackMember(params, i), alone.statistics, x).data,
      ]);
    }
  });
});
