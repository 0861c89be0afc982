import type { Operand, Value } from "../kernel/kernel.ts";
import type { Matrices } from "./matrices.ts";
import { indexOf } from "./strided-view.ts";

/** Eigenvalues and eigenvectors of symmetric matrices: sweeps of rotations on a copy in scratch memory. */
export function writeJacobi(matrices: Matrices, sweeps: number): void {
  const {
    e,
    b,
    batch,
    inputs: [x],
    output: y,
    columns: n,
    f,
  } = matrices;
  const a = e.scratch("f32", n * n);
  const one = b.constant("f32", 1);
  const entry = (i: Value, j: Value) => indexOf(0, [i, n], [j, 1]);
  const vectors = (i: Value, j: Value) => indexOf(n, [batch, (n + 1) * n], [i, n], [j, 1]);
  b.loop(n, false, (i) =>
    b.loop(n, false, (j) => {
      b.store(a, entry(i, j), b.freshLoad(x, indexOf(0, [batch, n * n], [i, n], [j, 1])));
      b.store(y, vectors(i, j), b.fresh("bool", "booltof32", b.fresh("i32", "eq", i, j)));
    }),
  );
  b.loop(sweeps, false, () =>
    b.loop(n - 1, false, (p) => {
      const next = b.fresh("i32", "add", p, b.constant("i32", 1));
      b.loop(
        n,
        false,
        (q) => {
          const off = b.freshLoad(a, entry(p, q));
          // NaN is not small: it propagates.
          const small = b.fresh("f32", "lt", f("abs", off), b.constant("f32", 1e-30));
          b.when(b.fresh("bool", "not", small), () => rotate(p, q, off));
        },
        next,
      );
    }),
  );
  b.loop(n, false, (i) => b.store(y, indexOf(0, [batch, (n + 1) * n], [i, 1]), b.freshLoad(a, entry(i, i))));

  function rotate(p: Value, q: Value, off: Operand): void {
    const theta = f(
      "div",
      f("sub", b.freshLoad(a, entry(q, q)), b.freshLoad(a, entry(p, p))),
      f("mul", b.constant("f32", 2), off),
    );
    const sign = b.fresh(
      "f32",
      "select",
      b.fresh("f32", "lt", theta, b.constant("f32", 0)),
      b.constant("f32", -1),
      one,
    );
    const t = f("div", sign, f("add", f("abs", theta), f("sqrt", f("add", f("mul", theta, theta), one))));
    const c = f("div", one, f("sqrt", f("add", f("mul", t, t), one)));
    const s = f("mul", t, c);
    const turn = (param: number, i: ReturnType<typeof indexOf>, j: ReturnType<typeof indexOf>) => {
      const [u, v] = [b.freshLoad(param, i), b.freshLoad(param, j)];
      b.store(param, i, f("sub", f("mul", c, u), f("mul", s, v)));
      b.store(param, j, f("add", f("mul", s, u), f("mul", c, v)));
    };
    b.loop(n, false, (k) => turn(a, entry(k, p), entry(k, q)));
    b.loop(n, false, (k) => turn(a, entry(p, k), entry(q, k)));
    b.loop(n, false, (k) => turn(y, vectors(k, p), vectors(k, q)));
  }
}
