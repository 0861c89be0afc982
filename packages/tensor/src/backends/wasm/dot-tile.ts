import type { Code } from "./assembler.ts";
import type { Product } from "./product.ts";

/** A tile of dot products: a few rows of a with up to four columns of b, both along k. */
export interface Dot {
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

/** Parameters: a, b, c, bias, and the number of groups of four columns. */
export const dotSignature = ["i32", "i32", "i32", "i32", "i32"] as const;
const low = [0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23];
const high = [8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31];
const firstHalves = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];
const secondHalves = [8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31];

export function emitDotTile(code: Code, dot: Dot): void {
  const { rows, columns } = dot;
  const [b, c, bias, count] = [1, 2, 3, 4];
  const grid = () =>
    Array.from({ length: rows }, () => Array.from({ length: columns }, () => code.local("v128")));
  const [sums, halves, others] = [grid(), grid(), grid()];
  const along: Along = {
    ...dot,
    as: sums.map(() => code.local("v128")),
    bv: code.local("v128"),
    pointers: [code.local("i32"), code.local("i32")],
    left: code.local("i32"),
  };
  const { as, bv } = along;
  const add = (to: number, from: number) => code.get(to).get(from).simd("f32x4.add").set(to);
  const each = (f: (r: number, j: number) => void) =>
    sums.forEach((row, r) => row.forEach((_, j) => f(r, j)));
  code.loop();
  // Not all lanes of all sums fit into the registers: each vector of sums takes one pass over k. Lanes are reduced by halves.
  emitPart(code, along, 0, sums);
  emitPart(code, along, 2, others);
  each((r, j) => add(sums[r][j], others[r][j]));
  emitPart(code, along, 1, halves);
  emitPart(code, along, 3, others);
  each((r, j) => add(halves[r][j], others[r][j]));
  each((r, j) => add(sums[r][j], halves[r][j]));

  sums.forEach((row, r) => {
    const four = [0, 1, 2, 3].map((j) => row[Math.min(j, columns - 1)]);
    const pair = (x: number, y: number) =>
      code.get(x).get(y).shuffle(low).get(x).get(y).shuffle(high).simd("f32x4.add");
    const [p, q] = [as[r], bv];
    pair(four[0], four[1]).set(p);
    pair(four[2], four[3]).set(q);
    const total = row[0];
    code.get(p).get(q).shuffle(firstHalves).get(p).get(q).shuffle(secondHalves).simd("f32x4.add").set(total);
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
  code.increase(b, 16 * dot.bColumn).increase(c, 16 * dot.c[1]);
  if (dot.bias === "column") code.increase(bias, 16);
  code.get(count).i32(1).op("i32.sub").tee(count).brIf(0).op("end");
}

/** Locals of a pass along k: rows of a, a column of b, pointers and a counter. */
interface Along extends Dot {
  readonly as: readonly number[];
  readonly bv: number;
  readonly pointers: readonly [number, number];
  readonly left: number;
}

/** Accumulates the k at `part` among four vectors' worth. */
function emitPart(code: Code, along: Along, part: number, sums: readonly (readonly number[])[]): void {
  const { k, aRow, bColumn, as, bv, left, relaxed } = along;
  const [a, b] = [0, 1];
  const [ak, bk] = along.pointers;
  const whole = k >> 2;
  const steps = Math.max(0, (whole - part + 3) >> 2);
  const madd = (r: number, j: number) => {
    code.get(as[r]).get(bv);
    if (relaxed) code.get(sums[r][j]).simd("f32x4.relaxed_madd");
    else code.simd("f32x4.mul").get(sums[r][j]).simd("f32x4.add");
    code.set(sums[r][j]);
  };
  for (const row of sums) for (const sum of row) code.v128([0, 0, 0, 0]).set(sum);
  if (steps > 0) {
    code
      .get(a)
      .i32(16 * part)
      .op("i32.add")
      .set(ak)
      .get(b)
      .i32(16 * part)
      .op("i32.add")
      .set(bk)
      .i32(steps)
      .set(left)
      .loop();
    as.forEach((av, r) =>
      code
        .get(ak)
        .memory("v128.load", 4 * r * aRow)
        .set(av),
    );
    sums[0].forEach((_, j) => {
      code
        .get(bk)
        .memory("v128.load", 4 * j * bColumn)
        .set(bv);
      as.forEach((_, r) => madd(r, j));
    });
    code.increase(ak, 64).increase(bk, 64).get(left).i32(1).op("i32.sub").tee(left).brIf(0).op("end");
  }
  const rest = k & 3;
  if (rest === 0 || (whole & 3) !== part) return;
  // Lanes without an element get 0 · -0: adding that changes nothing, not even -0.
  const load = (to: number, pointer: number, at: number, fill: number) => {
    code.v128([fill, fill, fill, fill]).set(to);
    for (let lane = 0; lane < rest; lane++)
      code
        .get(pointer)
        .get(to)
        .laneMemory("v128.load32_lane", lane, 4 * (at + lane))
        .set(to);
  };
  as.forEach((av, r) => load(av, a, r * aRow + 4 * whole, 0));
  sums[0].forEach((_, j) => {
    load(bv, b, j * bColumn + 4 * whole, 1 << 31);
    as.forEach((_, r) => madd(r, j));
  });
}
