import type { Node } from "../graph.ts";
import type { BasicOp, Operand, Value } from "../kernel/kernel.ts";
import { sizeOf } from "../shape.ts";
import type { Fusion } from "./fuse.ts";
import { Emitter } from "./loops.ts";
import type { Lowered } from "./rows.ts";
import { indexOf } from "./strided.ts";

/** Small dense linear algebra, one matrix at a time in plain loops. Arguments lie in memory in one piece. */
export function matrixKernel(node: Node, fusion: Fusion): Lowered {
  const e = new Emitter(new Set([node]));
  const b = e.builder;
  const inputs = node.inputs.map((n) => fusion.contiguous(n));
  const batch = b.parallel();
  const f = (op: BasicOp, ...args: Operand[]) => b.fresh("f32", op, ...args);
  const [rows, n] = node.shape.slice(-2);
  if (node.op === "cholesky") cholesky();
  else if (node.op === "triangularSolve") solve();
  else jacobi();
  return {
    kernel: b.kernel(batch, node.op),
    args: e.args,
    extent: sizeOf(node.shape.slice(0, -2)),
    scratchBytes: e.scratchBytes,
  };

  function cholesky(): void {
    const [x, y] = [e.param(inputs[0]), e.param(node)];
    const at = (i: Value, j: Value) => indexOf(0, [batch, n * n], [i, n], [j, 1]);
    b.loop(n, false, (i) => {
      b.loop(n, false, (j) => {
        b.when(
          b.fresh("i32", "gt", j, i),
          () => b.store(y, at(i, j), b.constant("f32", 0)),
          () => {
            const s = b.variable(b.freshLoad(x, at(i, j)));
            b.loop(j, false, (k) =>
              b.assign(s, f("sub", s, f("mul", b.freshLoad(y, at(i, k)), b.freshLoad(y, at(j, k))))),
            );
            b.when(
              b.fresh("i32", "eq", i, j),
              () => b.store(y, at(i, j), f("sqrt", s)),
              () => b.store(y, at(i, j), f("div", s, b.freshLoad(y, at(j, j)))),
            );
          },
        );
      });
    });
  }

  function solve(): void {
    const transposed = node.attributes.transposed as boolean;
    const [l, r, y] = [e.param(inputs[0]), e.param(inputs[1]), e.param(node)];
    const m = n;
    const size = rows;
    // Row i of the system in order of solution: from the top, or from the bottom when transposed.
    const row = (step: Value): [number, [Value, number]] =>
      transposed ? [size - 1, [step, -1]] : [0, [step, 1]];
    const vector = (step: Value, c: Value) => {
      const [k, [v, s]] = row(step);
      return indexOf(k * m, [batch, size * m], [v, s * m], [c, 1]);
    };
    const matrix = (i: Value, j: Value) => {
      const [[ki, [vi, si]], [kj, [vj, sj]]] = [row(i), row(j)];
      return transposed
        ? indexOf(kj * size + ki, [batch, size * size], [vj, sj * size], [vi, si])
        : indexOf(ki * size + kj, [batch, size * size], [vi, si * size], [vj, sj]);
    };
    b.loop(size, false, (i) => {
      b.loop(m, false, (c) => {
        const s = b.variable(b.freshLoad(r, vector(i, c)));
        b.loop(i, false, (j) =>
          b.assign(s, f("sub", s, f("mul", b.freshLoad(l, matrix(i, j)), b.freshLoad(y, vector(j, c))))),
        );
        b.store(y, vector(i, c), f("div", s, b.freshLoad(l, matrix(i, i))));
      });
    });
  }

  function jacobi(): void {
    const [x, y] = [e.param(inputs[0]), e.param(node)];
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
    b.loop(node.attributes.sweeps as number, false, () =>
      b.loop(n - 1, false, (p) => {
        const next = b.fresh("i32", "add", p, b.constant("i32", 1));
        b.loop(
          n,
          false,
          (q) => {
            const off = b.freshLoad(a, entry(p, q));
            // NaN is not small: it spreads.
            const small = b.fresh("f32", "lt", f("abs", off), b.constant("f32", 1e-30));
            b.when(b.fresh("bool", "not", small), () => rotate(p, q, off));
          },
          next,
        );
      }),
    );
    b.loop(n, false, (i) =>
      b.store(y, indexOf(0, [batch, (n + 1) * n], [i, 1]), b.freshLoad(a, entry(i, i))),
    );

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
}
