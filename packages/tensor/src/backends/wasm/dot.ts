import type { Code, ModuleBuilder } from "./assembler.ts";
import type { Functions } from "./functions.ts";
import { shared } from "./functions.ts";
import type { Block, Product } from "./product.ts";
import { gemmSignature } from "./product.ts";

/**
 * Few rows times columns that lie along k: dot products, with vectors along k and four columns side by side. Packing b for the
 * tiles would cost as much as the product itself.
 */
export function dotApplies(product: Product): boolean {
  return product.b[0] === 1 && product.b[1] >= 0 && product.k >= 8 && product.m <= 16;
}

interface Dot {
  readonly rows: number;
  /** Columns that exist among the four. */
  readonly columns: number;
  readonly k: number;
  readonly aRow: number;
  readonly bColumn: number;
  readonly c: readonly [number, number];
  readonly bias: Product["bias"];
  readonly relaxed: boolean;
}

const signature = ["i32", "i32", "i32", "i32", "i32"] as const;
const low = [0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23];
const high = [8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31];
const firstHalves = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];
const secondHalves = [8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31];

/** Parameters: a, b, c, bias, and how many groups of four columns to do. */
function emitDotTile(code: Code, dot: Dot): void {
  const { rows, columns, k, aRow, bColumn } = dot;
  const [a, b, c, bias, count] = [0, 1, 2, 3, 4];
  const [ak, bk, left] = [code.local("i32"), code.local("i32"), code.local("i32")];
  const sums = Array.from({ length: rows }, () => Array.from({ length: columns }, () => code.local("v128")));
  const as = sums.map(() => code.local("v128"));
  const bv = code.local("v128");
  const madd = (sum: number) => {
    if (dot.relaxed) code.get(sum).simd("f32x4.relaxed_madd");
    else code.simd("f32x4.mul").get(sum).simd("f32x4.add");
    code.set(sum);
  };
  code.loop();
  for (const row of sums) for (const sum of row) code.v128([0, 0, 0, 0]).set(sum);
  code
    .get(a)
    .set(ak)
    .get(b)
    .set(bk)
    .i32(k >> 2)
    .set(left)
    .loop();
  for (const [r, av] of as.entries()) {
    code
      .get(ak)
      .memory("v128.load", 4 * r * aRow)
      .set(av);
  }
  for (let j = 0; j < columns; j++) {
    code
      .get(bk)
      .memory("v128.load", 4 * j * bColumn)
      .set(bv);
    as.forEach((av, r) => {
      code.get(av).get(bv);
      madd(sums[r][j]);
    });
  }
  code.increase(ak, 16).increase(bk, 16).get(left).i32(1).op("i32.sub").tee(left).brIf(0).op("end");

  sums.forEach((row, r) => {
    const four = [0, 1, 2, 3].map((j) => row[Math.min(j, columns - 1)]);
    const pair = (x: number, y: number) =>
      code.get(x).get(y).shuffle(low).get(x).get(y).shuffle(high).simd("f32x4.add");
    const [p, q] = [as[r], bv];
    pair(four[0], four[1]).set(p);
    pair(four[2], four[3]).set(q);
    const total = row[0];
    code.get(p).get(q).shuffle(firstHalves).get(p).get(q).shuffle(secondHalves).simd("f32x4.add").set(total);
    // What is left of k, one element at a time.
    for (let i = k & ~3; i < k; i++) {
      code
        .get(b)
        .memory("v128.load32_splat", 4 * i)
        .set(bv);
      for (let j = 1; j < columns; j++)
        code
          .get(b)
          .get(bv)
          .laneMemory("v128.load32_lane", j, 4 * (j * bColumn + i))
          .set(bv);
      code
        .get(a)
        .memory("v128.load32_splat", 4 * (r * aRow + i))
        .get(bv);
      madd(total);
    }
    if (dot.bias === "row")
      code
        .get(total)
        .get(bias)
        .memory("v128.load32_splat", 4 * r)
        .simd("f32x4.add")
        .set(total);
    if (dot.bias === "column") {
      code.get(bias).memory("v128.load32_zero").set(bv);
      for (let j = 1; j < columns; j++)
        code
          .get(bias)
          .get(bv)
          .laneMemory("v128.load32_lane", j, 4 * j)
          .set(bv);
      code.get(total).get(bv).simd("f32x4.add").set(total);
    }
    const offset = 4 * r * dot.c[0];
    if (columns === 4 && dot.c[1] === 1) code.get(c).get(total).memory("v128.store", offset);
    else
      for (let j = 0; j < columns; j++)
        code
          .get(c)
          .get(total)
          .laneMemory("v128.store32_lane", j, offset + 4 * j * dot.c[1]);
  });
  code.increase(b, 16 * bColumn).increase(c, 16 * dot.c[1]);
  if (dot.bias === "column") code.increase(bias, 16);
  code.get(count).i32(1).op("i32.sub").tee(count).brIf(0).op("end");
}

/** Copies the rows of a so that each lies along k. Parameters: source, destination. */
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
      const tile = shared(module, functions, "dot", shape, signature, (into) => emitDotTile(into, shape));
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
