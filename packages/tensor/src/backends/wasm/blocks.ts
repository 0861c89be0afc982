import type { ModuleBuilder } from "./assembler.ts";
import { BlockCode, type Depth } from "./block-code.ts";
import type { Functions } from "./functions.ts";
import type { Block, GemmOptions, Product } from "./product.ts";
import { sweep } from "./sweep.ts";

/** The tiled product of two matrices: blocks of k, of columns and of rows around the tile, with packing where it pays off. */
export function emitBlocks(
  module: ModuleBuilder,
  functions: Functions,
  product: Product,
  options: GemmOptions,
): Block {
  const to = new BlockCode(module, functions, product, options);
  const { kStep, panels, restColumns, groups, bytesA, bytesB } = to.blocking;
  const { k, bias } = product;
  for (let k0 = 0; k0 < Math.max(k, 1); k0 += kStep) {
    const start = k0 > 0 ? "c" : bias === "column" ? "bias" : "zero";
    const depth: Depth = { k0, size: Math.min(kStep, k - k0), start };
    clampRange(to);
    if (panels > 0) wholePanels(to, depth);
    if (restColumns > 0) remainingColumns(to, depth);
  }
  return { index: to.index, groups, workspace: bytesB + bytesA };
}

/** The end of the range without a partial group at the bottom (or right). */
function clampRange(to: BlockCode): void {
  const { byColumns, panels, fullTiles } = to.blocking;
  const full = byColumns ? panels : fullTiles;
  to.code
    .get(to.to)
    .i32(full)
    .get(to.to)
    .i32(full)
    .op("i32.lt_s")
    .op("select")
    .set(byColumns ? to.lastColumn : to.last);
}

/** All whole panels of the range, in groups that are packed together. */
function wholePanels(to: BlockCode, depth: Depth): void {
  const { code, product, n0, bp } = to;
  const { byColumns, width, vectors, panels, packB, packedColumns } = to.blocking;
  const [bRow, bColumn] = product.b;
  const together = packB ? packedColumns : panels;
  const limit = () =>
    byColumns ? code.get(to.lastColumn).i32(width).op("i32.mul") : code.i32(panels * width);
  if (byColumns) code.get(to.from).i32(width).op("i32.mul").set(n0);
  else code.i32(0).set(n0);
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
    .i32(together)
    .get(count)
    .i32(together)
    .op("i32.lt_s")
    .op("select")
    .set(count);
  code
    .get(to.b)
    .get(n0)
    .i32(4 * bColumn)
    .op("i32.mul")
    .op("i32.add")
    .i32(4 * depth.k0 * bRow)
    .op("i32.add")
    .set(bp);
  if (packB) {
    const packed = to.pack(depth, width, bRow, bColumn);
    if (depth.size > 0) code.get(bp).get(to.workspace).get(count).call(packed);
    code.get(to.workspace).set(bp);
  }
  sweep(to, depth, {
    count: () => code.get(count),
    vectors,
    lastLanes: 4,
    bRow: packB ? width : bRow,
    bytes: packB ? 4 * width * depth.size : 4 * width,
  });
  code.get(n0).get(count).i32(width).op("i32.mul").op("i32.add").tee(n0);
  limit();
  code.op("i32.lt_s").brIf(0).op("end").op("end");
  code.free(count);
}

/** The columns beside the whole panels: always packed, padded with zeros. */
function remainingColumns(to: BlockCode, depth: Depth): void {
  const { code, product } = to;
  const { byColumns, panels, width, restColumns, restVectors } = to.blocking;
  const [bRow, bColumn] = product.b;
  if (byColumns) code.get(to.to).i32(panels).op("i32.gt_s").if();
  code.i32(panels * width).set(to.n0);
  const packed = to.pack(depth, restColumns, bRow, bColumn);
  if (depth.size > 0)
    code
      .get(to.b)
      .i32(4 * (panels * width * bColumn + depth.k0 * bRow))
      .op("i32.add")
      .get(to.workspace)
      .i32(1)
      .call(packed);
  code.get(to.workspace).set(to.bp);
  sweep(to, depth, {
    count: () => code.i32(1),
    vectors: restVectors,
    lastLanes: restColumns - 4 * (restVectors - 1),
    bRow: 4 * restVectors,
    bytes: 0,
  });
  if (byColumns) code.op("end");
}
