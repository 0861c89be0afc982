import type { Code } from "./assembler.ts";

/**
 * A tile of a matrix product: `rows` × `4·vectors` sums held in registers while k runs. Strides are constants, so rows need no
 * pointers of their own. Only sums within one element are ordered (k ascending), so tiles of any shape give the same bits.
 */
export interface Tile {
  readonly rows: number;
  readonly vectors: number;
  /** Columns of the last vector that exist. */
  readonly lastLanes: number;
  readonly k: number;
  readonly aRow: number;
  readonly aColumn: number;
  /** Elements of a from one tile to the next below. */
  readonly aNext: number;
  /** Elements from one k to the next in b, whose columns are adjacent. */
  readonly bRow: number;
  readonly cRow: number;
  readonly cColumn: number;
  /** Initial value of the sums: zero, a row of n elements, or the contents of c (a later block of k). */
  readonly start: "zero" | "bias" | "c";
  readonly relaxed: boolean;
  /** Whether to write it for ARM: see `emitTile`. */
  readonly arm: boolean;
}

/** Parameters: a, b, c, bias, and the number of tiles from top to bottom. */
export const tileSignature = ["i32", "i32", "i32", "i32", "i32"] as const;

const dup = [0, 1, 2, 3].map((lane) => Array.from({ length: 16 }, (_, i) => 4 * lane + (i & 3)));

export function emitTile(code: Code, tile: Tile): void {
  const { rows, vectors, k, aRow, aColumn, bRow } = tile;
  const [a, b, c, bias, count] = [0, 1, 2, 3, 4];
  const sums = Array.from({ length: rows }, () => Array.from({ length: vectors }, () => code.local("v128")));
  const bs = Array.from({ length: vectors }, () => code.local("v128"));
  const [ak, bk, left] = [code.local("i32"), code.local("i32"), code.local("i32")];
  const splat = code.local("v128");

  const at = (pointer: number, elements: number, op: "v128.load" | "v128.load32_splat") => {
    // Without guard pages (ARM) every access is checked against a bound that depends on the offset field: an addition is cheaper.
    if (tile.arm && elements !== 0)
      code
        .get(pointer)
        .i32(4 * elements)
        .op("i32.add")
        .memory(op);
    else code.get(pointer).memory(op, 4 * elements);
    return code;
  };
  /** Adds one row's products: the element of a comes from `push`. */
  const madd = (row: number, push: () => void) => {
    push();
    if (vectors > 1) code.tee(splat);
    for (let v = 0; v < vectors; v++) {
      if (v > 0) code.get(splat);
      code.get(bs[v]);
      if (tile.relaxed) code.get(sums[row][v]).simd("f32x4.relaxed_madd");
      else code.simd("f32x4.mul").get(sums[row][v]).simd("f32x4.add");
      code.set(sums[row][v]);
    }
  };
  const loadB = (step: number) => {
    for (let v = 0; v < vectors; v++) at(bk, step * bRow + 4 * v, "v128.load").set(bs[v]);
  };

  // On ARM four adjacent elements of a are loaded together and splatted lane by lane: a product with a splatted lane is one
  // instruction there. x86 splats while it loads. Four elements of each row, or four rows for each of four k, at a time: loaded
  // that far ahead, no instruction waits for them.
  const byRow = tile.arm && aRow === 1 && rows === 4;
  const byColumn = tile.arm && !byRow && aColumn === 1 && k >= 4;
  const unroll = 8;
  const quads = Array.from({ length: byRow || byColumn ? 4 : 0 }, () => code.local("v128"));
  const spread = (quad: number, lane: number) => () => void code.get(quad).get(quad).shuffle(dup[lane]);
  // Never taken (the counter is small). It keeps V8 from grouping the additions to each sum, which would wait for one another,
  // and from loading everything first, for which there are not enough registers: 24 GFLOP/s instead of 21 (x86: 35 instead of 17).
  // Each occurrence tests another bit; otherwise all tests but the first would be removed.
  const barrier = (place: number) => {
    code
      .get(left)
      .i32(1 << (31 - place))
      .op("i32.and")
      .brIf(1);
  };
  // Tiles with five vectors hold a's four splatted elements instead and go along b, whose vectors then need few registers: the
  // second barrier in each step ensures that (26.5 GFLOP/s instead of 23).
  const along = byRow && tile.relaxed && vectors === 5;
  const spreads = Array.from({ length: along ? rows : 0 }, () => code.local("v128"));
  const alongSteps = (n: number, inLoop: boolean) => {
    for (let step = 0; step < n; step++) {
      at(ak, step * aColumn, "v128.load").set(quads[0]);
      spreads.forEach((into, r) => {
        spread(quads[0], r)();
        code.set(into);
      });
      for (let v = 0; v < vectors; v++) {
        at(bk, step * bRow + 4 * v, "v128.load").set(bs[v]);
        for (let r = 0; r < rows; r++)
          code.get(spreads[r]).get(bs[v]).get(sums[r][v]).simd("f32x4.relaxed_madd").set(sums[r][v]);
        if (inLoop && v === 1) barrier(2 * step + 1);
      }
      if (inLoop && step < n - 1) barrier(2 * step);
    }
  };
  const steps = (n: number, inLoop: boolean) => {
    for (let step = 0; step < n; step++) {
      const lane = step & 3;
      // The last group of byColumn may be shorter than a vector.
      const grouped = byRow || (byColumn && step - lane + 4 <= n);
      if (grouped && lane === 0) {
        const count = byRow ? Math.min(4, n - step) : rows;
        for (let i = 0; i < count; i++)
          at(ak, byRow ? (step + i) * aColumn : i * aRow + step, "v128.load").set(quads[i]);
      }
      loadB(step);
      for (let r = 0; r < rows; r++) {
        if (grouped) madd(r, byRow ? spread(quads[lane], r) : spread(quads[r], lane));
        else madd(r, () => at(ak, r * aRow + step * aColumn, "v128.load32_splat"));
      }
      if (inLoop && step < n - 1) barrier(2 * step);
    }
  };
  const advance = (n: number) => code.increase(ak, 4 * n * aColumn).increase(bk, 4 * n * bRow);

  code.loop();
  start(code, tile, sums, c, bias);
  code.get(a).set(ak).get(b).set(bk);
  const whole = Math.floor(k / unroll);
  const rest = k % unroll;
  if (whole > 1) {
    code.i32(whole).set(left).block().loop();
    (along ? alongSteps : steps)(unroll, true);
    advance(unroll);
    code.get(left).i32(1).op("i32.sub").tee(left).brIf(0).op("end").op("end");
  } else if (whole === 1) {
    (along ? alongSteps : steps)(unroll, false);
    if (rest > 0) advance(unroll);
  }
  if (rest > 0) (along ? alongSteps : steps)(rest, false);

  finish(code, tile, sums, c);
  code.increase(a, 4 * tile.aNext).increase(c, 4 * rows * tile.cRow);
  code.get(count).i32(1).op("i32.sub").tee(count).brIf(0).op("end");
}

/** Calls `visit` for every sum of a tile with its row, its vector and the number of existing lanes. */
function eachSum(
  tile: Tile,
  sums: readonly (readonly number[])[],
  visit: (sum: number, row: number, vector: number, lanes: number) => void,
): void {
  for (let r = 0; r < tile.rows; r++) {
    for (let v = 0; v < tile.vectors; v++)
      visit(sums[r][v], r, v, v === tile.vectors - 1 ? tile.lastLanes : 4);
  }
}

function start(code: Code, tile: Tile, sums: readonly (readonly number[])[], c: number, bias: number): void {
  eachSum(tile, sums, (sum, r, v, lanes) => {
    if (tile.start === "zero") code.v128([0, 0, 0, 0]);
    else if (tile.start === "bias" && r > 0) code.get(sums[0][v]);
    else if (tile.start === "bias") load(code, bias, 16 * v, 1, lanes, sum);
    else load(code, c, 4 * (r * tile.cRow + 4 * v * tile.cColumn), tile.cColumn, lanes, sum);
    code.set(sum);
  });
}

/** Pushes a vector of `lanes` elements `step` apart, the rest zero; never reads beyond them. */
function load(
  code: Code,
  pointer: number,
  offset: number,
  step: number,
  lanes: number,
  temporary: number,
): void {
  if (lanes === 4 && step === 1) return void code.get(pointer).memory("v128.load", offset);
  code.get(pointer).memory("v128.load32_zero", offset);
  for (let lane = 1; lane < lanes; lane++) {
    code
      .set(temporary)
      .get(pointer)
      .get(temporary)
      .laneMemory("v128.load32_lane", lane, offset + 4 * lane * step);
  }
}

function finish(code: Code, tile: Tile, sums: readonly (readonly number[])[], c: number): void {
  eachSum(tile, sums, (sum, r, v, lanes) => {
    const offset = 4 * (r * tile.cRow + 4 * v * tile.cColumn);
    if (lanes === 4 && tile.cColumn === 1) code.get(c).get(sum).memory("v128.store", offset);
    else {
      for (let lane = 0; lane < lanes; lane++) {
        code
          .get(c)
          .get(sum)
          .laneMemory("v128.store32_lane", lane, offset + 4 * lane * tile.cColumn);
      }
    }
  });
}
