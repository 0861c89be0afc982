import { describe, expect, it } from "vitest";
import { abs, add, compile, div, lt, mul, sqrt, square, sub, type Tensor, tensor, where } from "../index.ts";
import { fastBackends } from "../testing/backends.ts";

const sizes = [7, 64, 300, 9000, 20_001];

/** Distinct numbers, some of them so small that they are flushed to zero. */
const values = (n: number, seed: number) =>
  tensor(Float32Array.from({ length: n }, (_, i) => (i % 5 ? Math.sin(seed + i) : 1e-35)));

/** Like an optimiser: a mean, a mean of squares, a step. */
function update(p: Tensor, g: Tensor, mean: Tensor, squares: Tensor): Tensor[] {
  const flush = (x: Tensor) => where(lt(abs(x), 1e-30), 0, x);
  const m = flush(add(mul(mean, 0.9), mul(g, 0.1)));
  const v = flush(add(mul(squares, 0.99), mul(square(g), 0.01)));
  return [sub(p, mul(div(m, add(sqrt(v), 1e-8)), 1e-3)), m, v];
}

describe.each(fastBackends())("kernels that differ only in their length, on %s", (backend) => {
  const kernels = (text: string) => Number(/in (\d+) kernels/.exec(text)?.[1]);
  const all = sizes.map((n) => [1, 2, 3, 4].map((seed) => values(n, seed)));
  const updateAll = (tensors: Tensor[][]) => tensors.map(([p, g, m, v]) => update(p, g, m, square(v)));

  it("are merged, with the bits of the reference", () => {
    const expected = compile(updateAll, { backend: "reference" })(all);
    for (const threads of [1, 2, 3]) {
      const f = compile((t: Tensor[][]) => updateAll(t), { backend, threads });
      expect(kernels(f.explain(all))).toBe(1);
      f(all).forEach((parts, i) =>
        parts.forEach((t, k) => {
          expect(t.data).toEqual(expected[i][k].data);
        }),
      );
    }
  });

  it("are not merged if they do other work", () => {
    const f = compile(
      (a: Tensor, b: Tensor, c: Tensor) => [mul(a, 2), mul(b, 2), mul(c, 3), add(c, a.sum())],
      { backend },
    );
    const args = [values(50, 1), values(70, 2), values(90, 3)] as const;
    const [x, y, z] = f(...args);
    args.slice(0, 2).forEach((t, i) => expect([x, y][i].data).toEqual(t.data.map((v) => Math.fround(v * 2))));
    expect(z.data).toEqual(args[2].data.map((v) => Math.fround(v * 3)));
  });

  it("run in loops, and in place", () => {
    const grow = compile((t: Tensor[]) => t.map((x) => add(mul(x, 3), 1)), { backend, donate: [0] });
    const bound = grow.bind(sizes.map((n) => values(n, 5)));
    bound.run();
    bound.run();
    const once = (v: number) => Math.fround(Math.fround(v * 3) + 1);
    sizes.forEach((n, i) => {
      expect(bound.result[i].data).toEqual(values(n, 5).data.map((v) => once(once(v))));
    });
  });
});
