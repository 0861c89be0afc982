import { productOrder } from "../../kernel/order.ts";
import type { GemmStep } from "../../kernel/program.ts";
import { amx } from "./amx.ts";
import { dotSet } from "./dots.ts";
import { gemmDriver, gemmTypes } from "./gemm-driver.ts";
import { largeTiles } from "./large-tile.ts";
import { narrowTiles, type TileSet, tallTiles, tileSet, wideTiles } from "./tiles.ts";

/** A product's sizes and strides in the order of the runtime library's `gemm`. */
export function gemmFields(s: GemmStep): number[] {
  return [
    s.m,
    s.n,
    s.k,
    ...s.aStrides,
    ...s.bStrides,
    s.cRow,
    s.precision === "bf16" ? 1 : 0,
    productOrder(s) === "lanes" ? 1 : 0,
    s.batch.length,
    ...s.batch.flatMap((d) => [d.extent, d.a, d.b, d.c]),
  ];
}

/** Definitions that all parts of the product share. */
const common = `
#if ARM
#include <arm_neon.h>
#define FMA_LANE(c, b, a, lane) c = (vf)vfmaq_laneq_f32((float32x4_t)c, (float32x4_t)b, (float32x4_t)a, lane)
#endif
typedef f32 vf __attribute__((vector_size(4 * W)));
typedef f32 vfm __attribute__((vector_size(4 * W), aligned(4), may_alias));
#define LOAD(p) (*(const vfm *)(p))
#define STORE(p, x) (*(vfm *)(p) = (x))
/* Every sum of products is fused. Compilers do not always contract by themselves: gcc splits chains of FMA for some processors. */
#if ARM
#define FMA(c, x, y) c = (vf)vfmaq_f32((float32x4_t)c, (float32x4_t)(x), (float32x4_t)(y))
#elif defined(__FMA__) || X512
#define FMA(c, x, y) __asm__("vfmadd231ps %2, %1, %0" : "+v"(c) : "v"(x), "v"(y))
#else
#define FMA(c, x, y) c += (x) * (y)
#endif
#if W == 16
#define SPREAD(x) ((vf){ x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x })
#elif W == 8
#define SPREAD(x) ((vf){ x, x, x, x, x, x, x, x })
#else
#define SPREAD(x) ((vf){ x, x, x, x })
#endif
/* Rows of b that are needed next: they are fetched a few at a time while tiles are computed. */
struct ahead { const f32 *at; long stride, rows, burst; int vectors; };
INLINE void fetch(struct ahead *n) {
  long r = n->burst < n->rows ? n->burst : n->rows;
  n->rows -= r;
  for (; r > 0; r--, n->at += n->stride)
    for (int j = 0; j < n->vectors; j++) __builtin_prefetch(n->at + j * W, 0, 2);
}
#if defined(__clang__)
#define MIX(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define MIX(a, b, ...) __builtin_shuffle(a, b, (int __attribute__((vector_size(16)))){ __VA_ARGS__ })
#endif
typedef void tile_fn(long, long, long, const f32 *, long, long, const f32 *, long, f32 *, long, const f32 *, int, f32 *, struct ahead *);
typedef void dot_fn(long, const f32 *, long, const f32 *, long, f32 *, long, const f32 *);
/* The 16 lanes of a sum are PARTS vectors. They are reduced by halves: lane l with l + 8, then l + 4, l + 2 and l + 1. */
#define PARTS (16 / W)
typedef f32 four __attribute__((vector_size(16), aligned(4), may_alias));
#if W == 4
#define FOUR(x) (x)
#else
INLINE four FOUR(vf x) {
  union { vf v; four q[W / 4]; } u = { x };
#if W == 16
  return (u.q[0] + u.q[2]) + (u.q[1] + u.q[3]);
#else
  return u.q[0] + u.q[1];
#endif
}
#endif
INLINE f32 SUM(four x) { return (x[0] + x[2]) + (x[1] + x[3]); }
/* Four sums at once. */
INLINE four SUMS(four a, four b, four c, four d) {
  const four p = MIX(a, b, 0, 4, 1, 5) + MIX(a, b, 2, 6, 3, 7), q = MIX(c, d, 0, 4, 1, 5) + MIX(c, d, 2, 6, 3, 7);
  return MIX(p, q, 0, 1, 4, 5) + MIX(p, q, 2, 3, 6, 7);
}
`;

const perProcessor = (write: (set: TileSet) => string) => `
#if ARM
${write(wideTiles(true))}
#elif X512
${write(wideTiles(false))}
#else
${write(narrowTiles)}
#endif`;

/** The matrix product as C. */
export function gemmLibrary(): string {
  return [common, perProcessor(tileSet), dotSet(), gemmTypes, amx, gemmDriver].join("\n");
}

/** Its largest tiles, compiled separately. */
export function gemmTiles(): string {
  return `${common}${perProcessor(tallTiles)}\n#if X512 && !ARM\n${largeTiles()}\n#endif`;
}
