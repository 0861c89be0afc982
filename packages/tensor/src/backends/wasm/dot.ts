import type { Code, ModuleBuilder } from "./assembler.ts";
import { type Dot, dotSignature, emitDotTile } from "./dot-tile.ts";
import type { Functions } from "./functions.ts";
import { shared } from "./functions.ts";
import type { Block, Product } from "./product.ts";
import { gemmSignature } from "./product.ts";

/** Copies the rows of a so that each is contiguous along k. Parameters: source, destination. */
function emitRows(code: Code, shape: { m: number; k: number; a: readonly [number, number] }): void {
  const { m, k, a } = shape;
  const [source, target, from, left] = [0, 1, code.local("i32"), code.local("i32")];
  for (let r = 0; r < m; r++) {
    code
      .get(source)
      .i32(4 * r * a[0])
      .op("i32.add")
      .set(from)
      .i32(k)
      .set(left)
      .loop();
    code.get(target).get(from).memory("f32.load").memory("f32.store");
    code
      .increase(from, 4 * a[1])
      .increase(target, 4)
      .get(left)
      .i32(1)
      .op("i32.sub")
      .tee(left)
      .brIf(0)
      .op("end");
  }
}

/**
 * Few rows times columns that are contiguous along k: dot products, with lanes along k and four columns side by side. Packing b
 * for the tiles would cost as much as the product itself.
 */
export function emitDot(
  module: ModuleBuilder,
  functions: Functions,
  product: Product,
  relaxed: boolean,
): Block {
  const { m, n, k } = product;
  const { index, code } = module.function(gemmSignature);
  const [a, b, c, bias, workspace, from, to] = [0, 1, 2, 3, 4, 5, 6];
  const packed = product.a[1] !== 1 || product.a[0] < 0;
  const aRow = packed ? k : product.a[0];
  if (packed) {
    const shape = { m, k, a: product.a };
    const copy = shared(module, functions, "rows", shape, ["i32", "i32"], (into) => emitRows(into, shape));
    code.get(a).get(workspace).call(copy).get(workspace).set(a);
  }
  const full = n >> 2;
  const last = code.local("i32");
  code.get(to).i32(full).get(to).i32(full).op("i32.lt_s").op("select").set(last);
  const part = (columns: number, start: () => void, count: () => void) => {
    for (let row = 0; row < m; ) {
      const rows = m - row >= 2 ? 2 : 1;
      const shape: Dot = {
        rows,
        columns,
        k,
        aRow,
        bColumn: product.b[1],
        c: product.c,
        bias: product.bias,
        relaxed,
      };
      const tile = shared(module, functions, "dot", shape, dotSignature, (into) => emitDotTile(into, shape));
      const along = (pointer: number, constant: number, stride: number) => {
        code.get(pointer).i32(constant).op("i32.add");
        start();
        code
          .i32(16 * stride)
          .op("i32.mul")
          .op("i32.add");
      };
      along(a, 4 * row * aRow, 0);
      along(b, 0, product.b[1]);
      along(c, 4 * row * product.c[0], product.c[1]);
      along(bias, product.bias === "row" ? 4 * row : 0, product.bias === "column" ? 1 : 0);
      count();
      code.call(tile);
      row += rows;
    }
  };
  if (full > 0) {
    code.get(from).get(last).op("i32.lt_s").if();
    part(
      4,
      () => code.get(from),
      () => code.get(last).get(from).op("i32.sub"),
    );
    code.op("end");
  }
  if (n % 4 > 0) {
    code.get(to).i32(full).op("i32.gt_s").if();
    part(
      n % 4,
      () => code.i32(full),
      () => code.i32(1),
    );
    code.op("end");
  }
  return { index, groups: Math.ceil(n / 4), workspace: packed ? 4 * m * k : 0 };
}
