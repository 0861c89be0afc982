import type { Value } from "../kernel/kernel.ts";
import type { Matrices } from "./matrices.ts";
import { indexOf } from "./strided-view.ts";

/** Solves a triangular system by substitution, for all right-hand sides. */
export function writeTriangularSolve(matrices: Matrices, transposed: boolean): void {
  const { b, batch, inputs, output: y, rows: size, columns: m, f } = matrices;
  const [l, r] = inputs;
  // Row i of the system in order of solution: from the top, or from the bottom if transposed.
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
