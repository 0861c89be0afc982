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
  /** Elements from one k to the next in b, whose columns are adjacent. */
  readonly bRow: number;
  readonly cRow: number;
  readonly cColumn: number;
  /** What the sums start from: nothing, a row of n elements, or what c holds (a later block of k). */
  readonly start: "zero" | "bias" | "c";
  readonly relaxed: boolean;
}

/** Parameters: a, b, c, bias, and how many tiles to do one below the other. */
export const tileSignature = ["i32", "i32", "i32", "i32", "i32"] as const;

const dup = [0, 1, 2, 3].map((lane) => Array.from({ length: 16 }, (_, i) => 4 * lane + (i & 3)));

export function emitTile(code: Code, tile: Tile): void {
  const { rows, vectors, k, aRow, aColumn, bRow } = tile;
  const [a, b, c, bias, count] = [0, 1, 2, 3, 4];
  const sums = Array.from({ length: rows }, () => Array.from({ length: vectors }, () => code.local("v128")));
  const bs = Array.from({ length: vectors }, () => code.local("v128"));
  const [ak, bk, left] = [code.local("i32"), code.local("i32"), code.local("i32")];
  const splat = code.local("v128");

  code.loop();
  start(code, tile, sums, c, bias);
  code.get(a).set(ak).get(b).set(bk);

  const madd = (row: number, push: () => void) => {
    for (let v = 0; v < vectors; v++) {
      if (v > 0) code.get(splat);
      else if (vectors > 1) {
        push();
        code.tee(splat);
      } else push();
      code.get(bs[v]);
      if (tile.relaxed) code.get(sums[row][v]).simd("f32x4.relaxed_madd");
      else code.simd("f32x4.mul").get(sums[row][v]).simd("f32x4.add");
      code.set(sums[row][v]);
    }
  };
  const loadB = (step: number) => {
    for (let v = 0; v < vectors; v++) code.get(bk).memory("v128.load", 4 * (step * bRow + 4 * v)).set(bs[v]);
  };

  // Four steps of k at a time. Where four elements of a are adjacent they are loaded together and spread lane by lane: the
  // engine turns a product with a spread lane into one instruction on ARM.
  const byColumn = aColumn === 1 && k >= 4;
  const byRow = aRow === 1 && rows >= 4;
  const quads = byColumn ? Array.from({ length: rows }, () => code.local("v128")) : Array.from({ length: rows >> 2 }, () => code.local("v128"));
  const steps = (n: number) => {
    if (byColumn && n === 4) {
      for (let r = 0; r < rows; r++) code.get(ak).memory("v128.load", 4 * r * aRow).set(quads[r]);
      for (let step = 0; step < 4; step++) {
        loadB(step);
        for (let r = 0; r < rows; r++) madd(r, () => code.get(quads[r]).get(quads[r]).shuffle(dup[step]));
      }
      return;
    }
    for (let step = 0; step < n; step++) {
      loadB(step);
      if (byRow) for (let q = 0; q < rows >> 2; q++) code.get(ak).memory("v128.load", 4 * (step * aColumn + 4 * q)).set(quads[q]);
      for (let r = 0; r < rows; r++) {
        const quad = quads[r >> 2];
        if (byRow && r < (rows & ~3)) madd(r, () => code.get(quad).get(quad).shuffle(dup[r & 3]));
        else madd(r, () => code.get(ak).memory("v128.load32_splat", 4 * (r * aRow + step * aColumn)));
      }
    }
  };
  const fours = k >> 2;
  const advance = (n: number) => code.increase(ak, 4 * n * aColumn).increase(bk, 4 * n * bRow);
  if (fours > 1) {
    code.i32(fours).set(left).loop();
    steps(4);
    advance(4);
    code.get(left).i32(1).op("i32.sub").tee(left).brIf(0).op("end");
  } else if (fours === 1) {
    steps(4);
    if (k & 3) advance(4);
  }
  if (k & 3) steps(k & 3);

  finish(code, tile, sums, c);
  code.increase(a, 4 * rows * aRow).increase(c, 4 * rows * tile.cRow);
  code.get(count).i32(1).op("i32.sub").tee(count).brIf(0).op("end");
}

function start(code: Code, tile: Tile, sums: readonly (readonly number[])[], c: number, bias: number): void {
  sums.forEach((row, r) =>
    row.forEach((sum, v) => {
      const lanes = v === tile.vectors - 1 ? tile.lastLanes : 4;
      if (tile.start === "zero") code.v128([0, 0, 0, 0]);
      else if (tile.start === "bias" && r > 0) code.get(sums[0][v]);
      else if (tile.start === "bias") load(code, bias, 16 * v, 1, lanes, sum);
      else load(code, c, 4 * (r * tile.cRow + 4 * v * tile.cColumn), tile.cColumn, lanes, sum);
      code.set(sum);
    }),
  );
}

/** Pushes a vector of `lanes` elements `step` apart, the rest zero; never touches what lies beyond them. */
function load(code: Code, pointer: number, offset: number, step: number, lanes: number, temporary: number): void {
  if (lanes === 4 && step === 1) return void code.get(pointer).memory("v128.load", offset);
  code.get(pointer).memory("v128.load32_zero", offset);
  for (let lane = 1; lane < lanes; lane++) {
    code.set(temporary).get(pointer).get(temporary).laneMemory("v128.load32_lane", lane, offset + 4 * lane * step);
  }
}

function finish(code: Code, tile: Tile, sums: readonly (readonly number[])[], c: number): void {
  sums.forEach((row, r) =>
    row.forEach((sum, v) => {
      const lanes = v === tile.vectors - 1 ? tile.lastLanes : 4;
      const offset = 4 * (r * tile.cRow + 4 * v * tile.cColumn);
      if (lanes === 4 && tile.cColumn === 1) return void code.get(c).get(sum).memory("v128.store", offset);
      for (let lane = 0; lane < lanes; lane++) code.get(c).get(sum).laneMemory("v128.store32_lane", lane, offset + 4 * lane * tile.cColumn);
    }),
  );
}
