import type { Code, ModuleBuilder } from "./assembler.ts";
import type { Blocking } from "./blocking.ts";
import { blockingOf } from "./blocking.ts";
import type { Functions } from "./functions.ts";
import { shared } from "./functions.ts";
import { emitPack, type Pack, packSignature } from "./pack.ts";
import type { GemmOptions, Product } from "./product.ts";
import { gemmSignature } from "./product.ts";
import type { Tile } from "./tile.ts";
import { emitTile, tileSignature } from "./tile.ts";

/** A block of k: its start, its size, and the initial value of its sums. */
export interface Depth {
  readonly k0: number;
  readonly size: number;
  readonly start: Tile["start"];
}

/** The function of one matrix product while it is being written: its plan, its locals, and the functions that it calls. */
export class BlockCode {
  readonly product: Product;
  readonly blocking: Blocking;
  readonly index: number;
  readonly code: Code;
  /** Parameters. */
  readonly a = 0;
  readonly b = 1;
  readonly c = 2;
  readonly bias = 3;
  readonly workspace = 4;
  readonly from = 5;
  readonly to = 6;
  /** The first column, the panels left, the first row (in tiles), and the end of the range without its partial group. */
  readonly n0: number;
  readonly left: number;
  readonly row: number;
  readonly last: number;
  /** Pointers: panels of b, c, a, and the panel being read. */
  readonly bp: number;
  readonly cp: number;
  readonly ap: number;
  readonly bq: number;
  readonly lastColumn: number;
  private readonly module: ModuleBuilder;
  private readonly functions: Functions;
  private readonly options: GemmOptions;

  constructor(module: ModuleBuilder, functions: Functions, product: Product, options: GemmOptions) {
    this.module = module;
    this.functions = functions;
    this.product = product;
    this.options = options;
    this.blocking = blockingOf(product, options);
    const { index, code } = module.function(gemmSignature);
    this.index = index;
    this.code = code;
    [this.n0, this.left, this.row, this.last, this.bp, this.cp, this.ap, this.bq, this.lastColumn] =
      Array.from({ length: 9 }, () => code.local("i32"));
  }

  /** The function of tiles with the given numbers of rows, vectors, and lanes of the last vector. */
  tile({ size, start }: Depth, rows: number, vectors: number, lastLanes: number, bRow: number): number {
    const { product, options } = this;
    const [aRow, aColumn] = product.a;
    const packed = this.blocking.packsA(vectors);
    const packedRows = 4 * Math.ceil(rows / 4);
    const shape: Tile = {
      rows,
      vectors,
      lastLanes,
      k: size,
      aRow: packed ? 1 : aRow,
      aColumn: packed ? packedRows : aColumn,
      aNext: packed ? packedRows * size : rows * aRow,
      bRow,
      cRow: product.c[0],
      cColumn: product.c[1],
      start,
      relaxed: options.relaxed,
      arm: options.arm,
    };
    return shared(this.module, this.functions, "tile", shape, tileSignature, (into) => emitTile(into, shape));
  }

  /** The function that packs the given number of lines of a matrix with the given strides. */
  pack({ size }: Depth, lines: number, kStride: number, lineStride: number): number {
    const shape: Pack = { vectors: Math.ceil(lines / 4), lines, k: size, kStride, lineStride };
    return shared(this.module, this.functions, "pack", shape, packSignature, (into) => emitPack(into, shape));
  }
}
