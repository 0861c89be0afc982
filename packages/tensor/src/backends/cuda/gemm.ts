import { productOrder } from "../../kernel/order.ts";
import type { GemmStep } from "../../kernel/program.ts";
import { launchHeader, prelude } from "./prelude.ts";

/**
 * Matrix products in CUDA. Every element has one thread, or one group of lanes, that adds its terms in the order of `kernel/order.ts`, so
 * the bits are those of the other back ends. Terms past k are skipped: adding zeros would change the sign of a zero.
 */

/** Maximum number of batch dimensions. */
export const mostBatchDims = 6;
const first = launchHeader + 4;
/** Words of a product's arguments: places of a, b, c and the bias, sizes and strides, and the batch dimensions. */
export const gemmWords = first + 11 + 4 * mostBatchDims;

/** The words after the places. */
export function gemmFields(s: GemmStep): number[] {
  if (s.batch.length > mostBatchDims)
    throw new Error(
      `The CUDA back end multiplies matrices with at most ${mostBatchDims} batch dimensions that cannot be merged; this product has ${s.batch.length}. Reshape the operands so that leading axes are adjacent.`,
    );
  const count = s.batch.reduce((n, d) => n * d.extent, 1);
  return [
    ...[s.m, s.n, s.k, ...s.aStrides, ...s.bStrides, s.cRow, count, s.halves === "all" ? 1 : 0],
    s.batch.length,
    ...s.batch.flatMap((d) => [d.extent, d.a, d.b, d.c]),
  ];
}

/** A tile of the product: rows and columns of a block, and the rows, as many as columns, of each of its threads. */
interface Tile {
  readonly name: string;
  readonly rows: number;
  readonly columns: number;
  readonly own: number;
  /** Speed beside the largest tile, where all tiles are full and there are many. */
  readonly speed: number;
}

const tiles: readonly Tile[] = [
  { name: "gemm128", rows: 128, columns: 128, own: 8, speed: 1 },
  { name: "gemm128x64", rows: 128, columns: 64, own: 8, speed: 0.95 },
  { name: "gemm64tall", rows: 64, columns: 64, own: 8, speed: 0.9 },
  { name: "gemm64", rows: 64, columns: 64, own: 4, speed: 0.7 },
  { name: "gemm64x32", rows: 64, columns: 32, own: 4, speed: 0.6 },
  { name: "gemm32", rows: 32, columns: 32, own: 2, speed: 0.4 },
  { name: "gemm128x16", rows: 128, columns: 16, own: 4, speed: 0.35 },
];

const threadsOf = ({ rows, columns, own }: Tile) => (rows * columns) / own ** 2;
/** Threads that keep a large GPU busy. */
const busy = 128 * 256;
/** Maximum extent of a grid's z axis. */
const mostLayers = 65535;

export interface GemmLaunch {
  readonly name: string;
  readonly grid: readonly [number, number, number];
  /** Threads of a block, if not the usual number. */
  readonly block?: number;
}

/** The kernel for a product and its grid, or undefined if there is nothing to compute. */
export function gemmLaunch(s: GemmStep): GemmLaunch | undefined {
  const count = s.batch.reduce((n, d) => n * d.extent, 1);
  if (s.m === 0 || s.n === 0 || count === 0) return undefined;
  if (productOrder(s) === "lanes")
    return { name: "gemmLanes", grid: [Math.min(Math.ceil((s.m * s.n * count) / 16), 65536), 1, 1] };
  const gridOf = (t: Tile): [number, number, number] => [
    Math.ceil(s.m / t.rows),
    Math.ceil(s.n / t.columns),
    Math.min(count, mostLayers),
  ];
  /** Elements that blocks compute, also those past the edges, over the speed of a tile and the share of the GPU that is busy. */
  const timeOf = (t: Tile) => {
    const blocks = gridOf(t)[0] * gridOf(t)[1] * count;
    return (blocks * t.rows * t.columns) / (t.speed * Math.min(1, (blocks * threadsOf(t)) / busy));
  };
  const tile = tiles.reduce((best, t) => (timeOf(t) < timeOf(best) ? t : best));
  return { name: tile.name, grid: gridOf(tile), block: threadsOf(tile) };
}

/** The module with all products. */
export const gemmText = (): string => [prelude, head, ...tiles.map(tileText), lanesText].join("\n");

export const gemmKernels: readonly string[] = [...tiles.map((t) => t.name), "gemmLanes"];

const head = `
struct G { i64 v[${gemmWords}]; };
struct Product { const f32 *a, *b, *bias; f32 *c; i64 m, n, k, ars, acs, brs, bcs, cs, count; bool half; };
INLINE Product productOf(const G &a) {
  Product p;
  p.a = (const f32 *)PLACE(${launchHeader}); p.b = (const f32 *)PLACE(${launchHeader + 1}); p.c = (f32 *)PLACE(${launchHeader + 2});
  p.bias = a.v[${launchHeader + 3}] == -1 ? 0 : (const f32 *)PLACE(${launchHeader + 3});
  p.m = a.v[${first}]; p.n = a.v[${first + 1}]; p.k = a.v[${first + 2}];
  p.ars = a.v[${first + 3}]; p.acs = a.v[${first + 4}]; p.brs = a.v[${first + 5}]; p.bcs = a.v[${first + 6}];
  p.cs = a.v[${first + 7}]; p.count = a.v[${first + 8}]; p.half = a.v[${first + 9}] != 0;
  return p;
}
/* Elements from the start of the operands to a member of the batch. */
INLINE void offsetsOf(const G &a, i64 member, i64 &ao, i64 &bo, i64 &co) {
  for (i32 d = (i32)a.v[${first + 10}] - 1; d >= 0; d--) {
    const i64 extent = a.v[${first + 11} + 4 * d], at = member % extent;
    member /= extent;
    ao += at * a.v[${first + 12} + 4 * d]; bo += at * a.v[${first + 13} + 4 * d]; co += at * a.v[${first + 14} + 4 * d];
  }
}
INLINE void moveTo(Product &p, const G &a, i64 member) {
  i64 ao = 0, bo = 0, co = 0;
  offsetsOf(a, member, ao, bo, co);
  p.a += ao; p.b += bo; p.c += co;
}
`;

/** Elements of k per step of a tile. */
const depth = 16;

/**
 * A product in tiles: the block copies a strip of both operands to shared memory, the next strip waits in registers, and each thread
 * multiplies its elements with k rising. Operands are read along their adjacent elements.
 */
function tileText(tile: Tile): string {
  const { name, rows, columns, own } = tile;
  const threads = threadsOf(tile);
  const chunk = Math.min(4, own);
  const chunks = own / chunk;
  const [aRow, bRow] = [rows + 4, columns + 4];
  const [aLoads, bLoads] = [(rows * depth) / threads, (columns * depth) / threads];
  const across = columns / own;
  const each = (n: number, f: (i: number) => string) => Array.from({ length: n }, (_, i) => f(i)).join(" ");
  /** The position of a thread's element i in its block. */
  const at = (i: number, thread: string, size: number) =>
    `${Math.floor(i / chunk) * (size / chunks)} + ${thread} * ${chunk} + ${i % chunk}`;
  const read = (to: string, from: string, row: number, thread: string, size: number) =>
    each(chunks, (c) => {
      const place = `&${from}[q * ${row} + ${c * (size / chunks)} + ${thread} * ${chunk}]`;
      const vector = `f32x${chunk}`;
      return `{ const ${vector} w = *(const ${vector} *)${place}; ${each(chunk, (e) => `${to}[${c * chunk + e}] = w.v[${e}];`)} }`;
    });
  /** Stores the adjacent elements of a thread in a row, at once where they are aligned and all exist. */
  const stored = (i: number, c: number) => {
    const parts = Array.from({ length: chunk }, (_, e) => `c[${i}][${c * chunk + e}]`);
    return `{ const i64 n = column + ${c * (columns / chunks)} + tx * ${chunk}; if (wide && n + ${chunk} <= p.n) *(f32x${chunk} *)(to + n) = {{${parts}}}; else { ${parts.map((x, e) => `if (n + ${e} < p.n) to[n + ${e}] = ${x};`).join(" ")} } }`;
  };
  const term = `{ f32 x[${own}], y[${own}]; ${read("x", "as", aRow, "ty", rows)} ${read("y", "bs", bRow, "tx", columns)}
_Pragma("unroll") for (i32 i = 0; i < ${own}; i++) _Pragma("unroll") for (i32 j = 0; j < ${own}; j++) c[i][j] = __fmaf_rn(x[i], y[j], c[i][j]); }`;
  return `
struct __align__(${4 * chunk}) ${name}v { f32 v[${chunk}]; };
#define f32x${chunk} ${name}v
extern "C" __global__ void __launch_bounds__(${threads}) ${name}(const G a) {
  if (!ALIVE) return;
  __shared__ __align__(16) f32 as[${depth * aRow}];
  __shared__ __align__(16) f32 bs[${depth * bRow}];
  const i32 t = (i32)threadIdx.x, tx = t % ${across}, ty = t / ${across};
  const i64 row = (i64)blockIdx.x * ${rows}, column = (i64)blockIdx.y * ${columns};
  const Product whole = productOf(a);
  for (i64 member = blockIdx.z; member < whole.count; member += gridDim.z) {
    Product p = whole;
    moveTo(p, a, member);
    /* Each thread copies elements at a fixed distance, along the axis that is adjacent in memory. */
    const bool aAlong = p.acs == 1, bAlong = p.brs == 1 && p.bcs != 1;
    const i32 ak = aAlong ? t % ${depth} : t / ${rows}, am = aAlong ? t / ${depth} : t % ${rows};
    const i32 akStep = aAlong ? 0 : ${threads / rows}, amStep = aAlong ? ${threads / depth} : 0;
    const i32 bk = bAlong ? t % ${depth} : t / ${columns}, bn = bAlong ? t / ${depth} : t % ${columns};
    const i32 bkStep = bAlong ? 0 : ${threads / columns}, bnStep = bAlong ? ${threads / depth} : 0;
    const f32 *pa = p.a + (row + am) * p.ars + (i64)ak * p.acs, *pb = p.b + (i64)bk * p.brs + (column + bn) * p.bcs;
    const i64 aStep = amStep * p.ars + akStep * p.acs, bStep = bkStep * p.brs + bnStep * p.bcs;
    f32 c[${own}][${own}], na[${aLoads}], nb[${bLoads}];
    _Pragma("unroll") for (i32 j = 0; j < ${own}; j++) {
      const i64 n = column + ${own === chunk ? `tx * ${chunk} + j` : `j / ${chunk} * ${columns / chunks} + tx * ${chunk} + j % ${chunk}`};
      const f32 start = p.bias && n < p.n ? p.bias[n] : 0.f;
      _Pragma("unroll") for (i32 i = 0; i < ${own}; i++) c[i][j] = start;
    }
#define FETCH(k0) \\
    _Pragma("unroll") for (i32 i = 0; i < ${aLoads}; i++) \\
      na[i] = row + am + i * amStep < p.m && (k0) + ak + i * akStep < p.k ? pa[i * aStep] : 0.f; \\
    _Pragma("unroll") for (i32 i = 0; i < ${bLoads}; i++) \\
      nb[i] = column + bn + i * bnStep < p.n && (k0) + bk + i * bkStep < p.k ? pb[i * bStep] : 0.f; \\
    pa += ${depth} * p.acs; pb += ${depth} * p.brs;
    FETCH(0)
    for (i64 k0 = 0; k0 < p.k; k0 += ${depth}) {
      __syncthreads();
      _Pragma("unroll") for (i32 i = 0; i < ${aLoads}; i++) as[(ak + i * akStep) * ${aRow} + am + i * amStep] = na[i];
      _Pragma("unroll") for (i32 i = 0; i < ${bLoads}; i++) bs[(bk + i * bkStep) * ${bRow} + bn + i * bnStep] = nb[i];
      __syncthreads();
      if (k0 + ${depth} < p.k) { FETCH(k0 + ${depth}) }
      if (p.k - k0 >= ${depth}) {
        _Pragma("unroll") for (i32 q = 0; q < ${depth}; q++) ${term}
      } else {
        const i32 rest = (i32)(p.k - k0);
        for (i32 q = 0; q < rest; q++) ${term}
      }
    }
#undef FETCH
    __syncthreads();
    const bool wide = ${chunk} == 4 && ((u64)p.c & 15) == 0 && (p.cs & 3) == 0;
    ${each(own, (i) => `{ const i64 m = row + ${at(i, "ty", rows)}; if (m < p.m) { f32 *const to = p.c + m * p.cs; ${each(chunks, (j) => stored(i, j))} } }`)}
  }
}
#undef f32x${chunk}`;
}

/** Dot products: a group of 16 lanes per element, whose lanes are reduced by halves. */
const lanesText = `
extern "C" __global__ void __launch_bounds__(256) gemmLanes(const G a) {
  if (!ALIVE) return;
  const Product whole = productOf(a);
  const i64 each = whole.m * whole.n, total = each * whole.count;
  const i32 lane = (i32)threadIdx.x & 15;
  const unsigned mask = 0xffffu << (threadIdx.x & 16);
  const i64 groups = (i64)gridDim.x * (blockDim.x / 16);
  for (i64 at = ((i64)blockIdx.x * blockDim.x + threadIdx.x) / 16; at < total; at += groups) {
    Product p = whole;
    moveTo(p, a, at / each);
    const i64 m = at % each / p.n, n = at % each % p.n;
    const f32 *x = p.a + m * p.ars, *y = p.b + n * p.bcs;
    f32 s = 0.f;
    for (i64 k = lane; k < p.k; k += 16) s = __fmaf_rn(x[k * p.acs], y[k * p.brs], s);
    for (i32 half = 8; half > 0; half /= 2) s += __shfl_xor_sync(mask, s, half);
    if (lane == 0) p.c[m * p.cs + n] = p.bias ? s + p.bias[n] : s;
  }
}`;
