import type { Value } from "../kernel/kernel.ts";
import type { Matrices } from "./matrices.ts";
import { indexOf } from "./strided-view.ts";

/** The lower triangular factor, row by row. */
export function writeCholesky({ b, batch, inputs: [x], output: y, columns: n, f }: Matrices): void {
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
