import type { GemmStep } from "../../kernel/program.ts";
import type { GemmLaunch } from "./gemm.ts";

/**
 * Products of bf16 operands on tensor cores, for any strides: a block of four warps computes a tile, each warp a quarter of it. Sums are in
 * f32, in an order that differs from that of f32 products but is the same in every run.
 */
const tile = 64;
const depth = 32;
/** Elements between rows of a strip in shared memory: 16 bytes more than the strip, so that a warp's reads use all banks. */
const pitch = depth + 8;
const threads = 128;
/** Maximum extent of a grid's z axis. */
const mostLayers = 65535;

/** The kernel for a product of bf16 operands and its grid, or undefined if there is nothing to compute. */
export function gemmHalfLaunch(s: GemmStep): GemmLaunch | undefined {
  const count = s.batch.reduce((n, d) => n * d.extent, 1);
  if (s.m === 0 || s.n === 0 || count === 0) return undefined;
  const grid = [Math.ceil(s.m / tile), Math.ceil(s.n / tile), Math.min(count, mostLayers)] as const;
  return { name: "gemmHalf", grid, block: threads };
}

/** On a GPU the instruction for 16 × 8 products of 16 terms; the emulated device has a function of this name. */
export const tensorCores = `
#ifdef __CUDACC__
INLINE void multiply16(f32 *c, const u32 *a, const u32 *b) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
    : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
#endif`;

const strip = (name: string, from: string, along: string, axis: string, first: string, limit: string) => `
      _Pragma("unroll") for (i32 i = 0; i < ${(tile * depth) / threads}; i++) {
        const i32 e = t + i * ${threads}, r = ${along} ? e / ${depth} : e % ${tile}, q = ${along} ? e % ${depth} : e / ${tile};
        ${name}[r * ${pitch} + q] = ${first} + r < ${limit} && k0 + q < p.k ? ${from}[(${first} + r) * p.${axis === "m" ? "ars" : "bcs"} + (k0 + q) * p.${axis === "m" ? "acs" : "brs"}] : (u16)0;
      }`;

export const gemmHalfText = (): string => `${tensorCores}
extern "C" __global__ void __launch_bounds__(${threads}) gemmHalf(const G a) {
  if (!ALIVE) return;
  __shared__ __align__(16) u16 as[${tile * pitch}];
  __shared__ __align__(16) u16 bs[${tile * pitch}];
  const i32 t = (i32)threadIdx.x, warp = t / 32, group = t % 32 / 4, pair = t % 4 * 2;
  const i32 wm = warp / 2 * 32, wn = warp % 2 * 32;
  const i64 row = (i64)blockIdx.x * ${tile}, column = (i64)blockIdx.y * ${tile};
  const Product whole = productOf(a);
  for (i64 member = blockIdx.z; member < whole.count; member += gridDim.z) {
    Product p = whole;
    i64 ao = 0, bo = 0, co = 0;
    offsetsOf(a, member, ao, bo, co);
    const u16 *const pa = (const u16 *)p.a + ao, *const pb = (const u16 *)p.b + bo;
    const bool aAlong = p.acs == 1, bAlong = p.brs == 1 && p.bcs != 1;
    f32 c[2][4][4];
    _Pragma("unroll") for (i32 i = 0; i < 32; i++) c[i / 16][i / 4 % 4][i % 4] = 0.f;
    for (i64 k0 = 0; k0 < p.k; k0 += ${depth}) {
      __syncthreads();${strip("as", "pa", "aAlong", "m", "row", "p.m")}${strip("bs", "pb", "bAlong", "n", "column", "p.n")}
      __syncthreads();
      _Pragma("unroll") for (i32 s = 0; s < ${depth}; s += 16) {
        u32 x[2][4], y[4][2];
        _Pragma("unroll") for (i32 i = 0; i < 8; i++)
          x[i / 4][i % 4] = *(const u32 *)&as[(wm + i / 4 * 16 + i % 2 * 8 + group) * ${pitch} + s + i % 4 / 2 * 8 + pair];
        _Pragma("unroll") for (i32 j = 0; j < 8; j++)
          y[j / 2][j % 2] = *(const u32 *)&bs[(wn + j / 2 * 8 + group) * ${pitch} + s + j % 2 * 8 + pair];
        _Pragma("unroll") for (i32 i = 0; i < 2; i++) _Pragma("unroll") for (i32 j = 0; j < 4; j++) multiply16(c[i][j], x[i], y[j]);
      }
    }
    _Pragma("unroll") for (i32 i = 0; i < 32; i++) {
      const i64 m = row + wm + i / 16 * 16 + i % 4 / 2 * 8 + group, n = column + wn + i / 4 % 4 * 8 + pair + i % 2;
      if (m >= p.m || n >= p.n) continue;
      const f32 v = c[i / 16][i / 4 % 4][i % 4] + (p.bias ? p.bias[n] : 0.f);
      if (p.half) ((u16 *)p.c)[co + m * p.cs + n] = halved(v);
      else p.c[co + m * p.cs + n] = v;
    }
  }
}
/* Rows of c as the bias, to which another product is added. */
extern "C" __global__ void __launch_bounds__(256) biasRows(const G a) {
  if (!ALIVE) return;
  const Product p = productOf(a);
  const i64 each = p.m * p.n, total = each * p.count;
  for (i64 at = (i64)blockIdx.x * blockDim.x + threadIdx.x; at < total; at += (i64)gridDim.x * blockDim.x) {
    i64 ao = 0, bo = 0, co = 0;
    offsetsOf(a, at / each, ao, bo, co);
    p.c[co + at % each / p.n * p.cs + at % p.n] = p.bias[at % p.n];
  }
}`;
