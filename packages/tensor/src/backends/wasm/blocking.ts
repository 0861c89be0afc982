import type { GemmOptions, Product } from "./product.ts";

/** Maximum elements of a panel of b, so that it stays in the L1 cache: k is split into equal blocks. */
const panelSize = 12288;
/** Columns of b that are packed together, and rows of a that are multiplied with them, which stay in the L2 cache. */
const nBlock = 1024;
const mBlock = 64;
/** The shortest block of k that justifies reading and writing c once more. */
const shortest = 64;
/** Elements of a (on ARM, and of unpacked b) that can be swept repeatedly without packing: half the L1 cache. */
const nearby = 8192;

/** Minimum number of columns for which packing a pays off with the fastest fused tile on ARM. */
const manyColumns = 100;

/**
 * Rows and vectors of a tile, by measurement. Few rows take more columns, so that sums do not wait for each other. On ARM (Neoverse
 * N1) at 256×256×256, in GFLOP/s, plain: 4×4 17.0, 4×3 17.1, 3×6 16.8; fused: 3×6 25.6, 4×4 24.1, 4×3 20.7. In an earlier form,
 * which loaded a for each k (4×4 fused: 23.0 at 240×240×256): 4×5 22.8, 5×4 21.8, 4×6 21.1, 6×4 20.0, 8×2 18.6. Fused products
 * cannot use one lane of a vector in V8, and in a loop without other work each splat cost as much as two of them: hence few rows.
 * Each load takes four instructions there (bounds check), and instructions are the limit, about 3.4 a cycle: storing a four
 * times, to load it instead of splatting, gave 23.6 (4×4). With a packed and the order of `alongSteps`: 4×5 26.3, 4×4 24.7, 5×4 24.
 */
function tileShape(product: Product, { relaxed, arm }: GemmOptions): [rows: number, vectors: number] {
  const { m, n, a } = product;
  if (arm && relaxed && n >= manyColumns && (m >= 64 || (m >= 24 && m % 4 === 0))) return [4, 5];
  if (arm && relaxed && n >= 24 && (m === 3 || (m >= 24 && a[1] === 1 && a[0] >= 0))) return [3, 6];
  let vectors = m < 4 ? 8 : arm ? 4 : 2;
  while (vectors > 1 && n < 4 * vectors) vectors >>= 1;
  return [Math.min(m, 4), vectors];
}

/** How a product is split into tiles and blocks, and which operands are packed. */
export interface Blocking {
  /** Rows of a tile, its vectors, and its columns. */
  readonly rows: number;
  readonly vectors: number;
  readonly width: number;
  /** Panels of whole tiles side by side, and the remaining columns. */
  readonly panels: number;
  readonly restColumns: number;
  readonly restVectors: number;
  /** Whole tiles from top to bottom, and the remaining rows. */
  readonly fullTiles: number;
  readonly restRows: number;
  /** Whether threads share the columns (otherwise the rows), and into how many groups these are split. */
  readonly byColumns: boolean;
  readonly groups: number;
  /** Size of a block of k. */
  readonly kStep: number;
  readonly packB: boolean;
  /** Whether a is packed for tiles of the given number of vectors. */
  packsA(vectors: number): boolean;
  /** Panels of b and tiles of a that are packed together. */
  readonly packedColumns: number;
  readonly tilesPerBlock: number;
  /** Workspace for packed b, followed by packed a. */
  readonly bytesB: number;
  readonly bytesA: number;
}

export function blockingOf(product: Product, options: GemmOptions): Blocking {
  const { m, n } = product;
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
  const kStep = stepOf(product, width, options);
  const packB = product.b[0] < 0 || product.b[1] !== 1 || (m > 16 && kStep * product.b[0] > nearby);
  // If neither rows nor columns of a are adjacent, or they are far apart, a panel of it is packed too.
  const [aRow, aColumn] = product.a;
  const far = aRow === 1 ? kStep * aColumn > nearby : aColumn !== 1;
  const repackA = aRow < 0 || aColumn < 0 || (rows >= 4 && far && n >= 32);
  // The tile of five vectors needs packed a; the columns that remain beside it do not.
  const packsA = (wide: number) => repackA || wide === 5;
  const packedColumns = Math.min(panels, Math.floor(nBlock / width));
  const tilesPerBlock = Math.max(1, Math.floor(mBlock / rows));
  // Either tile may need packed a: the remaining columns can be five vectors beside a tile that does not.
  const anyA = packsA(vectors) || (restColumns > 0 && packsA(restVectors));
  return {
    rows,
    vectors,
    width,
    panels,
    restColumns,
    restVectors,
    fullTiles,
    restRows,
    byColumns,
    groups,
    kStep,
    packB,
    packsA,
    packedColumns,
    tilesPerBlock,
    bytesB: Math.max(packB ? packedColumns * width : 0, 4 * restVectors) * kStep * 4,
    bytesA: anyA ? tilesPerBlock * 4 * Math.ceil(rows / 4) * kStep * 4 : 0,
  };
}

/** The size of the blocks of k. */
function stepOf({ k, a: [aRow, aColumn] }: Product, width: number, { arm }: GemmOptions): number {
  const blocks = Math.max(1, Math.ceil((k * width) / (arm ? panelSize : 8192)));
  const step = Math.max(4, 4 * Math.ceil(k / blocks / 4));
  // Shorter blocks of k cost less than packing: 64×64×256 with a transposed took 88 µs instead of 94 with fused products.
  return arm && aRow === 1 && step * aColumn > nearby && shortest * aColumn <= nearby
    ? Math.min(step, Math.floor(nearby / aColumn) & ~3)
    : step;
}
