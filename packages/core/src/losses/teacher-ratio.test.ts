import { type Tensor, tensor, valueAndGradient } from "@reins/tensor";
import { describe, expect, it } from "vitest";
import type { LossInput, LossTerm } from "../loss.ts";
import { expectClose } from "../targets/testing.ts";
import { byColumn } from "./column-weight.ts";
import { behaviourCloning } from "./imitation.ts";
import { clipped, policyGradient, unclipped } from "./policy-gradient.ts";
import { geometricRatio, sequenceRatio } from "./ratios.ts";
import { teacherRatio } from "./teacher-ratio.ts";

const { log } = Math;
let reported: Record<string, Tensor> = {};
const material = (logProb: Tensor, columns: LossInput["columns"]): LossInput => ({
  scored: { logProb, entropy: logProb },
  columns,
  key: tensor([0]),
  report: (name, value) => (reported[name] = value),
});
/** The loss of each step, and its own gradient. */
const of = (term: LossTerm, logProb: Tensor, columns: LossInput["columns"]) => {
  const { gradient } = valueAndGradient((x: Tensor) => term.value(material(x, columns)).sum())(logProb);
  reported = {};
  return { each: term.value(material(logProb, columns)), gradient };
};

describe("a teacher's steps", () => {
  const columns = {
    advantage: tensor([2, 2, -1]),
    // A teacher's probability is unknown: the column has 0.
    logProb: tensor([0, log(0.5), log(0.5)]),
    taught: tensor([true, false, false]),
  };
  const logProb = tensor([log(0.1), log(0.6), log(0.7)]);

  it("have the weight p / (p + strength); the policy's own are clipped as usual", () => {
    const term = policyGradient({ ratio: teacherRatio(clipped(0.1), 0.4) });
    const { each, gradient } = of(term, logProb, columns);
    expectClose(each, [-2 * (0.1 / 0.5), -2 * 1.1, 1.4]);
    // d/dlog p of p / (p + s) is p s / (p + s)².
    expectClose(gradient, [(-2 * 0.1 * 0.4) / 0.25, 0, 1.4]);
  });

  it("do not enter metrics of recorded probabilities", () => {
    const term = policyGradient({ ratio: teacherRatio(clipped(0.1), 0.4) });
    of(term, logProb, columns);
    expectClose(reported["policy/ratio"], [1, 1.2, 1.4]);
    expectClose(reported["policy/kl"], [0, 0.2 - log(1.2), 0.4 - log(1.4)]);
    const corrected = policyGradient({ ratio: teacherRatio(unclipped, 0.4), most: 3 });
    const proximal = tensor([log(0.1), log(0.6), log(0.7)]);
    expectClose(of(corrected, logProb, { ...columns, proximal }).each, [-0.4, -2 * 1.2, 1.4]);
  });

  it("change nothing without a teacher", () => {
    const { taught: _, ...own } = columns;
    const term = (ratio = clipped(0.1)) => policyGradient({ ratio });
    expectClose(of(term(teacherRatio(clipped(0.1))), logProb, own).each, [
      ...of(term(), logProb, own).each.data,
    ]);
  });
});

describe("truncated importance weights", () => {
  const columns = {
    advantage: tensor([1, 1, -2, 1]),
    logProb: tensor([0.5, 0.1, 0.2, 0.5].map(log)),
    proximal: tensor([0.4, 0.8, 0.3, 0.5].map(log)),
  };
  const now = [0.6, 0.8, 0.3, 0.4];
  const logProb = tensor(now.map(log));

  it("the ratio is to the policy at the update's start, times at most `most`, by hand", () => {
    const { each, gradient } = of(policyGradient({ ratio: clipped(0.2), most: 2 }), logProb, columns);
    // Weights 0.8, 8 (at most 2), 1.5, 1; ratios 1.5 (clipped to 1.2), 1, 1, 0.8.
    expectClose(each, [-0.8 * 1.2, -2, 1.5 * 2, -0.8]);
    // Weights have no gradient, nor has a clipped ratio.
    expectClose(gradient, [0, -2, 1.5 * 2, -0.8]);
    expectClose(reported["policy/ratio"], [1.5, 1, 1, 0.8]);
  });

  it("without truncation and clipping it is plain importance sampling", () => {
    const term = policyGradient({ ratio: unclipped, most: 1e6 });
    const { logProb: acted, advantage } = columns;
    const plain = of(policyGradient({ ratio: unclipped }), logProb, { logProb: acted, advantage });
    const { each, gradient } = of(term, logProb, columns);
    expectClose(each, [...plain.each.data]);
    expectClose(gradient, [...plain.gradient.data]);
  });
});

it("a column weights each step", () => {
  const columns = { credit: tensor([0.5, 0, 2]) };
  const { each, gradient } = of(byColumn("credit", behaviourCloning()), tensor([-1, -2, -3]), columns);
  expectClose(each, [0.5, 0, 6]);
  expectClose(gradient, [-0.5, 0, -2]);
  expect(byColumn("credit", behaviourCloning()).needs).toEqual(behaviourCloning().needs);
});

it.each([
  ["a text's ratio", sequenceRatio(clipped(0.2))],
  ["a geometric mean", geometricRatio(0.2)],
])("%s does not depend on masked tokens", (_, ratio) => {
  const columns = (recorded: number) => ({
    advantage: tensor([[1], [1], [1]]),
    logProb: tensor([[recorded], [-1], [-1]]),
    alive: tensor([[false], [true], [true]]),
  });
  const term = policyGradient({ ratio });
  const calm = of(term, tensor([[-1], [-0.9], [-1.3]]), columns(-1));
  const wild = of(term, tensor([[-300], [-0.9], [-1.3]]), columns(0));
  expectClose([...wild.each.data].slice(1), [...calm.each.data].slice(1));
  expectClose([...wild.gradient.data].slice(1), [...calm.gradient.data].slice(1));
});
