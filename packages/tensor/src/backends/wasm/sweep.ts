import type { BlockCode, Depth } from "./block-code.ts";

/** Panels of b beside which rows are swept. */
export interface Panels {
  /** Pushes the number of panels. */
  readonly count: () => void;
  readonly vectors: number;
  /** Columns of the last vector that exist. */
  readonly lastLanes: number;
  /** Elements from one k to the next, and bytes from one panel to the next. */
  readonly bRow: number;
  readonly bytes: number;
}

/** All rows of the range beside panels that start at `bp` (and at column `n0`). */
export function sweep(to: BlockCode, depth: Depth, panels: Panels): void {
  const { code, row, last, blocking } = to;
  const { rows, restRows, fullTiles, byColumns, tilesPerBlock } = blocking;
  const stop = () => (byColumns ? code.i32(fullTiles) : code.get(last));
  if (fullTiles > 0) {
    if (byColumns) code.i32(0);
    else code.get(to.from);
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
    tilesBeside(to, depth, panels, rows, () => code.get(tiles));
    code.get(row).get(tiles).op("i32.add").tee(row);
    stop();
    code.op("i32.lt_s").brIf(0).op("end").op("end");
    code.free(tiles);
  }
  if (restRows > 0) {
    if (!byColumns) code.get(to.to).i32(fullTiles).op("i32.gt_s").if();
    code.i32(fullTiles).set(row);
    tilesBeside(to, depth, panels, restRows, () => code.i32(1));
    if (!byColumns) code.op("end");
  }
}

/** Tiles of `height` rows, from top to bottom, beside all the panels. `tiles` pushes their number. */
function tilesBeside(to: BlockCode, depth: Depth, panels: Panels, height: number, tiles: () => void): void {
  const { code, product, blocking, row, ap, bp, bq, cp, left, n0 } = to;
  const { vectors, lastLanes, bRow, bytes } = panels;
  const [aRow, aColumn] = product.a;
  const [cRow, cColumn] = product.c;
  const columns = 4 * vectors;
  code
    .get(to.a)
    .get(row)
    .i32(4 * blocking.rows * aRow)
    .op("i32.mul")
    .op("i32.add")
    .i32(4 * depth.k0 * aColumn)
    .op("i32.add")
    .set(ap);
  if (blocking.packsA(vectors)) {
    const packed = to.pack(depth, height, aColumn, aRow);
    code.get(ap).get(to.workspace).i32(blocking.bytesB).op("i32.add").tee(ap);
    tiles();
    code.call(packed);
  }
  panels.count();
  code.set(left).get(bp).set(bq);
  code
    .get(to.c)
    .get(row)
    .i32(4 * blocking.rows * cRow)
    .op("i32.mul")
    .op("i32.add")
    .get(n0)
    .i32(4 * cColumn)
    .op("i32.mul")
    .op("i32.add")
    .set(cp);
  const bias = code.local("i32");
  code.get(to.bias).get(n0).i32(4).op("i32.mul").op("i32.add").set(bias);
  code.loop().get(ap).get(bq).get(cp).get(bias);
  tiles();
  code.call(to.tile(depth, height, vectors, lastLanes, bRow));
  code
    .increase(bq, bytes)
    .increase(cp, 4 * columns * cColumn)
    .increase(bias, 4 * columns);
  code.get(left).i32(1).op("i32.sub").tee(left).brIf(0).op("end");
  code.free(bias);
}
