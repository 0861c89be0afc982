import type { ModuleBuilder } from "./assembler.ts";
import type { Functions } from "./functions.ts";
import { shared } from "./functions.ts";
import { emitPack, packSignature } from "./pack.ts";
import type { Block, GemmOptions, Product } from "./product.ts";
import { gemmSignature } from "./product.ts";
import type { Tile } from "./tile.ts";
import { emitTile, tileSignature } from "./tile.ts";

/** k is done in equal blocks, so that a panel of b of at most so many elements stays in the first cache. */
const panelSize = 12288;
/** Columns of b packed at once, and rows of a gone through with them, which stay in the second cache. */
const nBlock = 1024;
const mBlock = 64;
/** The shortest block of k for which reading and writing c once more is worth it. */
const shortest = 64;
/** Elements of a (on ARM, and of unpacked b) that a sweep may go through again and again without packing: half the first cache. */
const nearby = 8192;

/** With so many columns packing a is worth it for the fastest tile of fused products on ARM. */
const manyColumns = 100;

/**
 * Rows and vectors of a tile, as measured. Few rows take more columns, so that sums do not wait for each other. On ARM (Neoverse
 * N1) at 256×256×256, in GFLOP/s, plain: 4×4 17.0, 4×3 17.1, 3×6 16.8; fused: 3×6 25.6, 4×4 24.1, 4×3 20.7. In an earlier form,
 * which loaded a for each k (4×4 fused: 23.0 at 240×240×256): 4×5 22.8, 5×4 21.8, 4×6 21.1, 6×4 20.0, 8×2 18.6. Fused products
 * cannot take a lane of a vector in V8, and in a loop of nothing else each spreading cost as much as two of them: hence few rows.
 * Each load is four instructions there (its bound is checked), and instructions are the limit, about 3.4 a cycle: a stored four
 * times, to be loaded instead of spread, gave 23.6 (4×4). With a packed and the order of `alongSteps`: 4×5 26.3, 4×4 24.7, 5×4 24.
 */
function tileShape(product: Product, { relaxed, arm }: GemmOptions): [rows: number, vectors: number] {
  const { m, n, a } = product;
  if (arm && relaxed && n >= manyColumns && (m >= 64 || (m >= 24 && m % 4 === 0))) return [4, 5];
  if (arm && relaxed && n >= 24 && (m === 3 || (m >= 24 && a[1] === 1 && a[0] >= 0))) return [3, 6];
  let vectors = m < 4 ? 8 : arm ? 4 : 2;
  while (vectors > 1 && n < 4 * vectors) vectors >>= 1;
  return [Math.min(m, 4), vectors];
}

/** The product of two matrices by tiles: blocks of k, of columns and of rows around the tile, with packing where it pays. */
export function emitBlocks(
  module: ModuleBuilder,
  functions: Functions,
  product: Product,
  options: GemmOptions,
): Block {
  const { m, n, k, relaxed, arm } = { ...product, ...options };
  const [rows, vectors] = tileShape(product, options);
  const width = 4 * vectors;
  const panels = Math.floor(n / width);
  const restColumns = n % width;
  const restVectors = Math.ceil(restColumns / 4);
  const fullTiles = Math.floor(m / rows);
  const restRows = m % rows;
  // With few rows the columns are shared among threads instead.
  const byColumns = fullTiles < 4 && panels >= 2;
  const groups = byColumns ? panels + (restColumns > 0 ? 1 : 0) : fullTiles + (restRows > 0 ? 1 : 0);
  const negative = product.b[0] < 0;
  // Where neither rows nor columns of a are adjacent, or far apart, a panel of it is packed too.
  const [aRow, aColumn] = product.a;
  const blocks = Math.max(1, Math.ceil((k * width) / (arm ? panelSize : 8192)));
  let kStep = Math.max(4, 4 * Math.ceil(k / blocks / 4));
  // Shorter blocks of k cost less than packing: 64×64×256 with a transposed took 88 µs instead of 94 with fused products.
  if (arm && aRow === 1 && kStep * aColumn > nearby && shortest * aColumn <= nearby)
    kStep = Math.min(kStep, Math.floor(nearby / aColumn) & ~3);
  const packB = negative || product.b[1] !== 1 || (m > 16 && kStep * product.b[0] > nearby);
  const far = aRow === 1 ? kStep * aColumn > nearby : aColumn !== 1;
  const repackA = aRow < 0 || aColumn < 0 || (rows >= 4 && far && n >= 32);
  // The tile of five vectors takes only packed a; the columns that remain beside it do without.
  const packs = (wide: number) => repackA || wide === 5;

  const { index, code } = module.function(gemmSignature);
  const [a, b, c, bias, workspace, from, to] = [0, 1, 2, 3, 4, 5, 6];
  const [n0, left, row, last, bp, cp, ap, bq] = Array.from({ length: 8 }, () => code.local("i32"));
  const lastColumn = code.local("i32");
  const packedColumns = Math.min(panels, Math.floor(nBlock / width));
  const bytesB = Math.max(packB ? packedColumns * width : 0, 4 * restVectors) * kStep * 4;
  const tilesPerBlock = Math.max(1, Math.floor(mBlock / rows));
  // Either tile may want a packed: the remaining columns can be five vectors beside a tile that is not.
  const packsA = packs(vectors) || (restColumns > 0 && packs(restVectors));
  const bytesA = packsA ? tilesPerBlock * 4 * Math.ceil(rows / 4) * kStep * 4 : 0;

  for (let k0 = 0; k0 < Math.max(k, 1); k0 += kStep) {
    const size = Math.min(kStep, k - k0);
    const start = k0 > 0 ? "c" : product.bias === "column" ? "bias" : "zero";
    const tile = (height: number, wide: number, lanes: number, bRow: number) => {
      const packA = packs(wide);
      const shape: Tile = {
        rows: height,
        vectors: wide,
        lastLanes: lanes,
        k: size,
        aRow: packA ? 1 : aRow,
        aColumn: packA ? 4 * Math.ceil(height / 4) : aColumn,
        aNext: packA ? 4 * Math.ceil(height / 4) * size : height * aRow,
        bRow,
        cRow: product.c[0],
        cColumn: product.c[1],
        start,
        relaxed,
        arm,
      };
      return shared(module, functions, "tile", shape, tileSignature, (into) => emitTile(into, shape));
    };
    const pack = (shape: Parameters<typeof emitPack>[1]) =>
      shared(module, functions, "pack", shape, packSignature, (into) => emitPack(into, shape));

    /** All rows of the range beside `count` panels that start at `bp` (and at column `n0`). */
    const sweep = (count: () => void, wide: number, lanes: number, bRow: number, panelBytes: number) => {
      const columns = 4 * wide;
      const rowPart = (height: number, tiles: () => void) => {
        code
          .get(a)
          .get(row)
          .i32(4 * rows * aRow)
          .op("i32.mul")
          .op("i32.add")
          .i32(4 * k0 * aColumn)
          .op("i32.add")
          .set(ap);
        if (packs(wide)) {
          const packed = pack({
            vectors: Math.ceil(height / 4),
            lines: height,
            k: size,
            kStride: aColumn,
            lineStride: aRow,
          });
          code.get(ap).get(workspace).i32(bytesB).op("i32.add").tee(ap);
          tiles();
          code.call(packed);
        }
        count();
        code.set(left).get(bp).set(bq);
        code
          .get(c)
          .get(row)
          .i32(4 * rows * product.c[0])
          .op("i32.mul")
          .op("i32.add")
          .get(n0)
          .i32(4 * product.c[1])
          .op("i32.mul")
          .op("i32.add")
          .set(cp);
        const bp2 = code.local("i32");
        code.get(bias).get(n0).i32(4).op("i32.mul").op("i32.add").set(bp2);
        code.loop().get(ap).get(bq).get(cp).get(bp2);
        tiles();
        code.call(tile(height, wide, lanes, bRow));
        code
          .increase(bq, panelBytes)
          .increase(cp, 4 * columns * product.c[1])
          .increase(bp2, 4 * columns);
        code.get(left).i32(1).op("i32.sub").tee(left).brIf(0).op("end");
        code.free(bp2);
      };
      const [first, stop] = byColumns
        ? [() => code.i32(0), () => code.i32(fullTiles)]
        : [() => code.get(from), () => code.get(last)];
      if (fullTiles > 0) {
        first();
        code.set(row).block().get(row);
        stop();
        code.op("i32.ge_s").brIf(0).loop();
        const tiles = code.local("i32");
        stop();
        code
          .get(row)
          .op("i32.sub")
          .tee(tiles)
          .i32(tilesPerBlock)
          .get(tiles)
          .i32(tilesPerBlock)
          .op("i32.lt_s")
          .op("select")
          .set(tiles);
        rowPart(rows, () => code.get(tiles));
        code.get(row).get(tiles).op("i32.add").tee(row);
        stop();
        code.op("i32.lt_s").brIf(0).op("end").op("end");
        code.free(tiles);
      }
      if (restRows > 0) {
        if (!byColumns) code.get(to).i32(fullTiles).op("i32.gt_s").if();
        code.i32(fullTiles).set(row);
        rowPart(restRows, () => code.i32(1));
        if (!byColumns) code.op("end");
      }
    };

    // `last`: the end of the range without a partial group at the bottom (or right).
    const clamp = (full: number, into: number) =>
      code.get(to).i32(full).get(to).i32(full).op("i32.lt_s").op("select").set(into);
    if (byColumns) clamp(panels, lastColumn);
    else clamp(fullTiles, last);
    if (panels > 0) {
      const panelStep = packB ? packedColumns : panels;
      if (byColumns) code.get(from).i32(width).op("i32.mul").set(n0);
      else code.i32(0).set(n0);
      const limit = () =>
        byColumns ? code.get(lastColumn).i32(width).op("i32.mul") : code.i32(panels * width);
      const count = code.local("i32");
      code.block().get(n0);
      limit();
      code.op("i32.ge_s").brIf(0).loop();
      limit();
      code
        .get(n0)
        .op("i32.sub")
        .i32(width)
        .op("i32.div_u")
        .tee(count)
        .i32(panelStep)
        .get(count)
        .i32(panelStep)
        .op("i32.lt_s")
        .op("select")
        .set(count);
      code
        .get(b)
        .get(n0)
        .i32(4 * product.b[1])
        .op("i32.mul")
        .op("i32.add")
        .i32(4 * k0 * product.b[0])
        .op("i32.add")
        .set(bp);
      if (packB) {
        const packed = pack({
          vectors,
          lines: width,
          k: size,
          kStride: product.b[0],
          lineStride: product.b[1],
        });
        if (size > 0) code.get(bp).get(workspace).get(count).call(packed);
        code.get(workspace).set(bp);
      }
      sweep(
        () => code.get(count),
        vectors,
        4,
        packB ? width : product.b[0],
        packB ? 4 * width * size : 4 * width,
      );
      code.get(n0).get(count).i32(width).op("i32.mul").op("i32.add").tee(n0);
      limit();
      code.op("i32.lt_s").brIf(0).op("end").op("end");
      code.free(count);
    }
    if (restColumns > 0) {
      if (byColumns) code.get(to).i32(panels).op("i32.gt_s").if();
      code.i32(panels * width).set(n0);
      const packed = pack({
        vectors: restVectors,
        lines: restColumns,
        k: size,
        kStride: product.b[0],
        lineStride: product.b[1],
      });
      if (size > 0)
        code
          .get(b)
          .i32(4 * (panels * width * product.b[1] + k0 * product.b[0]))
          .op("i32.add")
          .get(workspace)
          .i32(1)
          .call(packed);
      code.get(workspace).set(bp);
      sweep(() => code.i32(1), restVectors, restColumns - 4 * (restVectors - 1), 4 * restVectors, 0);
      if (byColumns) code.op("end");
    }
  }
  return { index, groups, workspace: bytesB + bytesA };
}
