import { describe, expect, it } from "vitest";
import { Graph, tracing } from "./graph.ts";
import * as o from "./index.ts";
import { nodeIn, Tensor } from "./tensor.ts";
import { backends, fastBackends } from "./testing/backends.ts";
import { expectClose } from "./testing/compare.ts";
import { Generator } from "./testing/generator.ts";
import { type SmoothCase, smoothCases } from "./testing/smooth-cases.ts";
import { rules } from "./transform/rules.ts";

/** Fixed weights that give every element of a result a different effect. */
const weights = (shape: readonly number[]) =>
  o.reshape(o.add(o.sin(o.mul(o.cast(o.iota([shape.reduce((a, b) => a * b, 1)]), "f32"), 2.3)), 0.3), shape);
const scalarOf = (fn: SmoothCase["fn"]) => (xs: Tensor[]) => {
  const y = fn(...xs);
  return o.sum(o.mul(y, weights(y.shape)));
};
const gradientOf = (fn: SmoothCase["fn"]) => (xs: Tensor[]) => o.gradient(scalarOf(fn)(xs), xs);

/**
 * The derivative of every element of `f` along coordinate `i` of input `k`: central differences with the leading error removed
 * (Richardson). Works on values that were rounded to f32, hence the wide steps.
 */
function slope(f: (xs: Tensor[]) => Tensor[], xs: readonly Tensor[], k: number, i: number): Float64Array[] {
  const at = (d: number) => {
    const moved = xs.map((x, j) => (j === k ? o.tensor(x.data, { shape: x.shape }) : x));
    moved[k].data[i] += d;
    return { values: f(moved), x: moved[k].data[i] };
  };
  const central = (h: number) => {
    const [a, b] = [at(-h), at(h)];
    return a.values.map((v, j) =>
      Float64Array.from(v.data, (y, e) => (b.values[j].data[e] - y) / (b.x - a.x)),
    );
  };
  const [near, far] = [central(0.012), central(0.024)];
  return near.map((n, j) => n.map((d, e) => (4 * d - far[j][e]) / 3));
}

const weigh = (y: Float64Array, shape: readonly number[]) => {
  const w = weights(shape).data;
  return y.reduce((total, v, i) => total + v * w[i], 0);
};

describe("gradients agree with finite differences", () => {
  for (const c of smoothCases) {
    it(c.name, () => {
      const inputs = [...c.inputs];
      const forward = o.compile((xs: Tensor[]) => c.fn(...xs), { backend: "reference" });
      const gradient = o.compile(gradientOf(c.fn), { backend: "reference" });
      const shape = forward(inputs).shape;
      const gs = gradient(inputs);
      inputs.forEach((x, k) => {
        const numeric = x.data.map(
          (_, i) => weigh(slope((xs) => [forward(xs)], inputs, k, i)[0], shape) as never,
        );
        const scale = Math.max(1, ...Array.from(numeric, Math.abs));
        expectClose(
          `input ${k}`,
          gs[k],
          { shape: x.shape, data: numeric },
          { relative: 0, absolute: 1e-3 * scale },
        );
      });
    });
  }

  it("covers every operation that has a rule", () => {
    const seen = new Set<string>();
    const visit = (graph: Graph) => {
      for (const node of graph.nodes) {
        seen.add(node.op);
        if (node.op === "scan") visit(node.attributes.body.graph);
      }
    };
    for (const c of smoothCases) {
      const graph = new Graph();
      const inputs = c.inputs.map((x) => graph.input(x.shape, x.dtype));
      tracing(graph, () => nodeIn(graph, scalarOf(c.fn)(inputs.map((n) => new Tensor(n))), "test"));
      visit(graph);
    }
    // Made only by gradients: their own gradients are in the tests of second derivatives.
    for (const op of ["identity", "overlapAdd", "scatterAdd"]) seen.add(op);
    const ruled = Object.entries(rules).flatMap(([op, rule]) => (typeof rule === "function" ? [op] : []));
    expect(ruled.filter((op) => !seen.has(op))).toEqual([]);
  });
});

describe("second derivatives: Hessian-vector products agree with differences of gradients", () => {
  for (const c of smoothCases.filter((c) => c.twice)) {
    it(c.name, () => {
      const inputs = [...c.inputs];
      const v = new Generator(3);
      const direction = inputs.map((x) => v.tensor(x.shape, -1, 1));
      const product = o.compile(
        (xs: Tensor[], ds: Tensor[]) => {
          const gs = gradientOf(c.fn)(xs);
          return o.gradient(
            gs.map((g, i) => o.sum(o.mul(g, ds[i]))).reduce((a, b) => o.add(a, b)),
            xs,
          );
        },
        { backend: "reference" },
      );
      const gradient = o.compile(gradientOf(c.fn), { backend: "reference" });
      const along = (t: number) => gradient(inputs.map((x, i) => o.add(x, o.mul(direction[i], t))));
      const central = (h: number) => {
        const [a, b] = [along(-h), along(h)];
        return a.map((g, i) => Float64Array.from(g.data, (y, e) => (b[i].data[e] - y) / (2 * h)));
      };
      const [near, far] = [central(0.01), central(0.02)];
      product(inputs, direction).forEach((p, k) => {
        const numeric = near[k].map((d, e) => (4 * d - far[k][e]) / 3);
        const scale = Math.max(1, ...Array.from(numeric, Math.abs));
        expectClose(
          `input ${k}`,
          p,
          { shape: p.shape, data: numeric },
          { relative: 0, absolute: 2e-3 * scale },
        );
      });
    });
  }
});

for (const backend of fastBackends()) {
  describe("every back end computes the same gradients", () => {
    const chunk = 12;
    for (let start = 0; start < smoothCases.length; start += chunk) {
      const cases = smoothCases.slice(start, start + chunk);
      it(`${backend}: ${cases[0].name} to ${cases[cases.length - 1].name}`, () => {
        const fn = (all: Tensor[][]) =>
          cases.map((c, i) => ({ y: c.fn(...all[i]), g: gradientOf(c.fn)(all[i]) }));
        const inputs = cases.map((c) => [...c.inputs]);
        const expected = o.compile(fn, { backend: "reference" })(inputs);
        o.compile(fn, { backend })(inputs).forEach(({ y, g }, i) => {
          expectClose(`${cases[i].name}: value`, y, expected[i].y, { relative: 1e-5, absolute: 1e-5 });
          g.forEach((d, k) => {
            expectClose(`${cases[i].name}: gradient of input ${k}`, d, expected[i].g[k], {
              relative: 1e-4,
              absolute: 1e-4,
            });
          });
        });
      });
    }
  });
}

describe("gradient scopes", () => {
  const x = o.tensor([0.5, -1, 2]);

  for (const backend of backends()) {
    it(`nests: third derivatives (${backend})`, () => {
      const third = o.grad((a: Tensor) =>
        o.sum(o.grad((b: Tensor) => o.sum(o.grad((c: Tensor) => o.sum(o.sin(c)))(b)))(a)),
      );
      expectClose("of sin", o.compile(third, { backend })(x), o.neg(o.cos(x)), { absolute: 1e-6 });
    });
  }

  it("keeps the variables of nested scopes apart (perturbation confusion)", () => {
    const f = o.grad((a: Tensor) => o.mul(a, o.grad((b: Tensor) => o.add(a, b))(o.tensor(2))));
    expect(f(o.tensor(3)).item()).toBe(1);
  });

  it("returns the value, the auxiliary results, and zeros for unused inputs", () => {
    const f = o.valueAndGradient(({ a, b }: { a: Tensor; b: Tensor }): [Tensor, { twice: Tensor }] => [
      o.add(o.sum(o.square(a)), o.mul(o.sum(b), 0)),
      { twice: o.mul(a, 2) },
    ]);
    const { value, gradient, aux } = f({ a: x, b: o.ones([2, 2]) });
    expect(value.item()).toBeCloseTo(5.25);
    expect(gradient.a.toArray()).toEqual([1, -2, 4]);
    expect(gradient.b.toArray()).toEqual([
      [0, 0],
      [0, 0],
    ]);
    expect(aux.twice.toArray()).toEqual([1, -2, 4]);
    expect(
      o
        .grad((a: Tensor) => o.sum(o.floor(a)))(x)
        .toArray(),
    ).toEqual([0, 0, 0]);
  });

  it("stops at stopGradient", () => {
    expect(
      o
        .grad((a: Tensor) => o.sum(o.mul(a, o.stopGradient(a))))(x)
        .toArray(),
    ).toEqual(x.toArray());
    expect(
      o
        .grad((a: Tensor) => o.sum(o.stopGradient(o.square(a))))(x)
        .toArray(),
    ).toEqual([0, 0, 0]);
    const straight = o.grad((a: Tensor) => o.sum(o.add(a, o.stopGradient(o.sub(o.round(a), a)))));
    expect(straight(x).toArray()).toEqual([1, 1, 1]);
  });

  it("follows a custom rule, and differentiates the rule itself", () => {
    const odd = o.customGradient(
      (a: Tensor) => o.square(a),
      (g, y, a) => [o.mul(g, o.mul(o.mul(a, y), 10))],
    );
    expect(
      o
        .grad((a: Tensor) => o.sum(odd(a)))(x)
        .toArray(),
    ).toEqual([1.25, -10, 80]);
    // d/da of 10·a·y(a), where y again follows the rule: 10·y + 10·a·(10·a·y).
    const second = o.grad((a: Tensor) => o.sum(o.grad((b: Tensor) => o.sum(odd(b)))(a)))(x);
    expectClose(
      "second",
      second,
      { shape: [3], data: Array.from(x.data, (v) => 10 * v * v + 100 * v ** 4) },
      { relative: 1e-5 },
    );
    const flipped = o.customGradient(
      (a: Tensor) => a,
      (g) => [o.neg(g)],
    );
    const scanned = (a: Tensor) =>
      o.sum(
        o.scan(
          (c: Tensor, { v }: { v: Tensor }): readonly [Tensor, undefined] => [
            o.add(c, flipped(v)),
            undefined,
          ],
          o.tensor(0),
          { v: a },
        ).carry,
      );
    expect(o.grad(scanned)(x).toArray()).toEqual([-1, -1, -1]);
  });

  it("distinguishes two results of a loop that are the same value", () => {
    const f = (a: Tensor) => {
      const { ys } = o.scan(
        (c: Tensor, { v }: { v: Tensor }): readonly [Tensor, Tensor[]] => [o.mul(c, v), [c, c]],
        o.tensor(1),
        { v: a },
      );
      return o.add(o.sum(ys[0]), o.mul(o.sum(ys[1]), 10));
    };
    // 11 · (1 + a + a·b): the last element is not used.
    expectClose("gradient", o.grad(f)(x), { shape: [3], data: [11 * (1 + -1), 11 * 0.5, 0] });
  });

  it("splits the gradient between equal extremes", () => {
    expect(
      o
        .grad((a: Tensor) => o.max(a))(o.tensor([1, 3, 3]))
        .toArray(),
    ).toEqual([0, 0.5, 0.5]);
    expect(
      o
        .grad((a: Tensor) => o.sum(o.maximum(a, 1)))(o.tensor([1, 3, 0]))
        .toArray(),
    ).toEqual([0.5, 1, 0]);
  });

  it("stays finite at the edges", () => {
    const at = (f: (a: Tensor) => Tensor, ...values: number[]) =>
      o
        .grad((a: Tensor) => o.sum(f(a)))(o.tensor(values))
        .toArray();
    expect(at(o.softplus, -200, 0, 200)).toEqual([0, 0.5, 1]);
    expect(at(o.logSigmoid, -200, 200)).toEqual([1, 0]);
    expect(at((a) => o.elu(a), -200, 200)).toEqual([0, 1]);
    expect(at((a) => o.pow(a, o.tensor(2)), 0)).toEqual([0]);
    expect(at((a) => o.prod(a), 0, 2, 0)).toEqual([0, 0, 0]);
    expect(at((a) => o.logSumExp(a), -1e30, 0)).toEqual([0, 1]);
    expect(at((a) => o.softmax(o.mul(a, 1000)), 1, 2)).toEqual([0, 0]);
  });
});
