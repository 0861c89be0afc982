import { describe, expect, it } from "vitest";
import type { Tensor } from "./index.ts";
import * as o from "./index.ts";
import { elementwise } from "./math/elementwise.ts";
import { backends, fastBackends } from "./testing/backends.ts";
import { expectSameBits } from "./testing/compare.ts";
import { elementwiseCases } from "./testing/elementwise-cases.ts";
import { Generator } from "./testing/generator.ts";
import { operands } from "./testing/special-values.ts";

describe("elementwise operations give the same bits on every back end", () => {
  it("covers every elementwise operation", () => {
    expect(Object.keys(elementwise).filter((op) => !elementwiseCases.some((m) => m.op === op))).toEqual([]);
  });

  const cases = elementwiseCases.flatMap((m) => m.types.map((type) => ({ ...m, type })));
  const inputs = cases.map((c) => operands(c.type, c.count));
  const named = (i: number) => `${cases[i].op} of ${cases[i].type}`;
  // One program for many operations: starting a C compiler takes time.
  const chunk = 24;
  for (const backend of backends()) {
    for (let start = 0; start < cases.length; start += chunk) {
      const part = cases.slice(start, start + chunk);
      it(`${backend}: ${named(start)} to ${named(start + part.length - 1)}`, () => {
        const given = inputs.slice(start, start + chunk);
        const f = o.compile((all: Tensor[][]) => part.map((c, i) => c.f(...all[i])), { backend });
        f(given).forEach((y, i) => {
          const want = part[i].f(...given[i]);
          try {
            expectSameBits(named(start + i), y, want);
          } catch (e) {
            const at = Number(/element (\d+)/.exec((e as Error).message)?.[1] ?? -1);
            throw new Error(`${(e as Error).message} at ${given[i].map((x) => x.data[at]).join(", ")}`, {
              cause: e,
            });
          }
        });
      });
    }
  }

  for (const backend of fastBackends()) {
    it(`${backend}: long fused chains, any length`, () => {
      const chain = (x: Tensor, y: Tensor) =>
        o.where(
          o.gt(o.tanh(x), y),
          o.exp(o.neg(o.square(o.mul(x, y)))),
          o.div(o.sigmoid(y), o.add(o.abs(o.sin(x)), 1.25)),
        );
      const f = o.compile(chain, { backend });
      for (const n of [1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 100, 1000]) {
        const r = new Generator(n);
        const [x, y] = [r.tensor([n]), r.tensor([n])];
        expectSameBits(`length ${n}`, f(x, y), chain(x, y));
      }
    });
  }
});

for (const backend of fastBackends()) {
  describe(`${backend}: results do not depend on the number of threads`, () => {
    const r = new Generator(8);
    const programs: [string, (xs: Tensor[]) => Tensor[], Tensor[]][] = [
      [
        "reductions",
        ([x]) => [
          o.sum(x),
          o.sum(x, 0),
          o.sum(x, 1),
          o.mean(x),
          o.max(x, 0),
          o.argmax(x, 1),
          o.norm(x),
          o.cumsum(x, 0),
          o.cumsum(x, 1),
        ],
        [r.tensor([700, 431])],
      ],
      [
        "products",
        ([a, b]) => [o.matmul(a, b), o.tanh(o.matmul(o.transpose(b), o.transpose(a)))],
        [r.tensor([257, 300]), r.tensor([300, 190])],
      ],
      [
        "norms",
        ([x]) => [o.softmax(x), o.layerNorm(x), o.softmax(x, 0), o.logSoftmax(x)],
        [r.tensor([513, 257])],
      ],
      ["elementwise", ([x]) => [o.exp(o.sin(x)), o.add(o.tanh(x), o.transpose(x))], [r.tensor([600, 600])]],
      [
        "indexing",
        ([x]) => [
          o.sort(x),
          o.scatterAdd(o.mod(o.iota([512, 300], 1), 7), x, 1, 7),
          o.segmentSum(x, o.mod(o.iota([512]), 5), 5),
        ],
        [r.tensor([512, 300])],
      ],
      [
        "a training step",
        ([x, w, v]) => o.gradient(o.mean(o.square(o.matmul(o.relu(o.matmul(x, w)), v))), [w, v]),
        [r.tensor([256, 64]), r.tensor([64, 256], -0.2, 0.2), r.tensor([256, 32], -0.2, 0.2)],
      ],
      ["random numbers", () => [o.random.normal(o.random.key(3), [300, 301])], [r.tensor([1])]],
      [
        "a loop",
        ([x]) => [
          o.scan(
            (c: Tensor, { v }: { v: Tensor }): readonly [Tensor, Tensor] => [
              o.tanh(o.add(o.mul(c, 0.9), v)),
              o.sum(c),
            ],
            o.zeros([4000]),
            { v: x },
          ).ys,
        ],
        [r.tensor([20, 4000])],
      ],
    ];
    for (const [name, fn, xs] of programs) {
      it(name, () => {
        const [one, two, three] = [1, 2, 3].map((threads) => o.compile(fn, { backend, threads })(xs));
        one.forEach((t, i) => {
          expectSameBits(`result ${i}, two threads`, two[i], t);
          expectSameBits(`result ${i}, three threads`, three[i], t);
        });
      });
    }
  });
}
