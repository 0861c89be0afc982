import type { FlashStep } from "../../kernel/program.ts";
import type { GemmLaunch } from "./gemm.ts";
import { launchHeader } from "./prelude.ts";

/**
 * Attention without its matrix of weights (Dao et al., 2022), on tensor cores: a block has a tile of queries (of keys, for the gradients of
 * keys and values) and visits the tiles of the other side. Operands are bf16, sums and weights f32; weights are rounded to bf16 before they
 * meet values. Rows have exponentials in base 2.
 */
const threads = 128;
/** Rows of a block: 16 per warp. */
const own = 64;
/** Maximum extent of a grid's y axis. */
const mostMembers = 65535;
/** Maximum leading dimensions. */
export const mostFlashDims = 4;

const places = ["q", "k", "v", "all", "g", "sums", "out"] as const;
const at = launchHeader + places.length;
/** Words of the arguments: places, sizes, row strides, then extent and strides of each leading dimension. */
export const flashWords = at + 9 + 5 * mostFlashDims;

/** Rows of a tile of the other side: fewer for wide heads, whose tiles must fit in shared memory too. */
const tileOf = (width: number) => (width <= 64 ? 64 : 32);

export const flashName = ({ part, width }: FlashStep): string => `flash_${part}${width}`;

/** The words after the header: `place` packs a place, -1 where it is absent. */
export function flashFields(s: FlashStep, place: (name: (typeof places)[number]) => bigint | number) {
  const aligned = [...Object.values(s.rows), ...s.lead.flatMap((d) => [d.q, d.k, d.v, d.g])];
  const scale = new Int32Array(new Float32Array([s.scale * Math.LOG2E]).buffer)[0];
  return [
    ...places.map(place),
    ...[s.queries, s.keys, scale, s.causal ? 1 : 0, aligned.every((n) => n % 8 === 0) && s.aligned ? 1 : 0],
    ...[s.rows.q, s.rows.k, s.rows.v, s.rows.g],
    ...Array.from({ length: mostFlashDims }, (_, i) => {
      const d = s.lead[i] ?? { extent: 1, q: 0, k: 0, v: 0, g: 0 };
      return [d.extent, d.q, d.k, d.v, d.g];
    }).flat(),
  ];
}

export function flashLaunch(s: FlashStep): GemmLaunch {
  const members = s.lead.reduce((n, d) => n * d.extent, 1);
  const rows = s.part === "keys" ? s.keys : s.queries;
  return {
    name: flashName(s),
    grid: [Math.max(1, Math.ceil(rows / own)), Math.min(Math.max(1, members), mostMembers), 1],
    block: threads,
  };
}

/** Code that kernels of all widths share. */
export const flashHead = `
struct F { i64 v[${flashWords}]; };
struct __align__(16) Eight { u32 v[4]; };
INLINE Eight eightOf(const u16 *from, bool aligned) {
  if (aligned) return *(const Eight *)from;
  Eight e;
  _Pragma("unroll") for (i32 i = 0; i < 4; i++) e.v[i] = (u32)from[2 * i] | (u32)from[2 * i + 1] << 16;
  return e;
}
#ifdef __CUDACC__
INLINE u32 pairOf(f32 a, f32 b) { u32 r; asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(b), "f"(a)); return r; }
INLINE f32 power2(f32 x) { f32 r; asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x)); return r; }
/* Four 8 × 8 matrices in shared memory as operands; each thread names a row, thread i row i % 8 of matrix i / 8. */
typedef u32 Row;
INLINE Row rowAt(const u16 *p) { u32 r; asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(r) : "l"(p)); return r; }
INLINE Row beyond(Row row, i32 elements) { return row + 2 * elements; }
INLINE void matrices(u32 *r, Row row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(row));
}
INLINE void turnedMatrices(u32 *r, Row row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(row));
}
#else
INLINE u32 pairOf(f32 a, f32 b) { return (u32)halved(a) | (u32)halved(b) << 16; }
INLINE f32 power2(f32 x) { return exp2f(x); }
typedef const u16 *Row;
INLINE Row rowAt(const u16 *p) { return p; }
INLINE Row beyond(Row row, i32 elements) { return row + elements; }
#endif
/* Rows of a tile on their way to shared memory: all loads are in flight before the first is used. */
template <int D, int T> struct Rows {
  enum { N = T * D / ${8 * threads} };
  Eight e[N];
  __device__ __forceinline__ void fetch(const u16 *from, i64 stride, i32 limit, bool aligned) {
    _Pragma("unroll") for (i32 i = 0; i < N; i++) {
      const i32 at = (i32)threadIdx.x + i * ${threads}, r = at % T, c = at / T * 8;
      e[i].v[0] = e[i].v[1] = e[i].v[2] = e[i].v[3] = 0;
      if (r < limit) e[i] = eightOf(from + r * stride + c, aligned);
    }
  }
  __device__ __forceinline__ void place(u16 *to) const {
    _Pragma("unroll") for (i32 i = 0; i < N; i++) {
      const i32 at = (i32)threadIdx.x + i * ${threads}, r = at % T, c = at / T * 8;
      *(Eight *)&to[r * (D + 8) + c] = e[i];
    }
  }
};
template <int D, int T> INLINE void load(u16 *to, const u16 *from, i64 stride, i32 limit, bool aligned) {
  Rows<D, T> rows;
  rows.fetch(from, stride, limit, aligned);
  rows.place(to);
}
/* A warp's 16 rows of a tile as operands of 16 terms each. */
template <int D> INLINE void rowsOf(u32 (*x)[4], const u16 *tile, i32 row, i32 group, i32 pair) {
  _Pragma("unroll") for (i32 i = 0; i < D / 4; i++)
    x[i / 4][i % 4] = *(const u32 *)&tile[(row + i % 2 * 8 + group) * (D + 8) + i / 4 * 16 + i % 4 / 2 * 8 + pair];
}
/* c = 16 rows times the N rows of a tile, over D terms. */
template <int D, int N> INLINE void scores(f32 (*c)[4], const u32 (*x)[4], const u16 *tile, i32 lane) {
  const Row first = rowAt(&tile[lane % 8 * (D + 8) + (D == 16 ? lane / 8 % 2 : lane / 8) * 8]);
  _Pragma("unroll") for (i32 j = 0; j < N / 8; j++) {
    c[j][0] = c[j][1] = c[j][2] = c[j][3] = 0.f;
    _Pragma("unroll") for (i32 s = 0; s < D / 16; s += 2) {
      u32 y[4];
      matrices(y, beyond(first, j * 8 * (D + 8) + s * 16));
      multiply16(c[j], x[s], y);
      if (D > 16) multiply16(c[j], x[s + (D > 16)], y + 2);
    }
  }
}
/* c += weights of N rows times the D columns of a tile of those rows. */
template <int D, int N> INLINE void gather(f32 (*c)[4], const f32 (*w)[4], const u16 *tile, i32 lane) {
  const Row first = rowAt(&tile[(lane / 8 % 2 * 8 + lane % 8) * (D + 8) + lane / 16 * 8]);
  _Pragma("unroll") for (i32 s = 0; s < N / 16; s++) {
    const u32 x[4] = { pairOf(w[2 * s][0], w[2 * s][1]), pairOf(w[2 * s][2], w[2 * s][3]), pairOf(w[2 * s + 1][0], w[2 * s + 1][1]), pairOf(w[2 * s + 1][2], w[2 * s + 1][3]) };
    _Pragma("unroll") for (i32 j = 0; j < D / 8; j += 2) {
      u32 y[4];
      turnedMatrices(y, beyond(first, s * 16 * (D + 8) + j * 8));
      multiply16(c[j], x, y);
      multiply16(c[j + 1], x, y + 2);
    }
  }
}
INLINE f32 quadMax(f32 x) {
  x = fmaxf(x, __shfl_xor_sync(0xffffffffu, x, 1));
  return fmaxf(x, __shfl_xor_sync(0xffffffffu, x, 2));
}
INLINE f32 quadSum(f32 x) {
  x += __shfl_xor_sync(0xffffffffu, x, 1);
  return x + __shfl_xor_sync(0xffffffffu, x, 2);
}
`;

const begin = (name: string, width: number, blocks = 1) => `
extern "C" __global__ void __launch_bounds__(${threads}, ${blocks}) ${name}(const F a) {
  if (!ALIVE) return;
  enum { D = ${width}, T = ${tileOf(width)} };
  const i32 queries = (i32)a.v[${at}], keys = (i32)a.v[${at + 1}], late = keys - queries;
  const f32 scale = __int_as_float((i32)a.v[${at + 2}]);
  const bool causal = a.v[${at + 3}] != 0, aligned = a.v[${at + 4}] != 0;
  const i64 qr = a.v[${at + 5}], kr = a.v[${at + 6}], vr = a.v[${at + 7}], gr = a.v[${at + 8}];
  const i32 t = (i32)threadIdx.x, warp = t / 32, lane = t % 32, group = lane / 4, pair = lane % 4 * 2;
  i64 members = 1;
  for (i32 d = 0; d < ${mostFlashDims}; d++) members *= a.v[${at + 9} + 5 * d];
  for (i64 member = blockIdx.y; member < members; member += gridDim.y) {
    const u16 *q = (const u16 *)PLACE(${launchHeader}), *k = (const u16 *)PLACE(${launchHeader + 1}), *v = (const u16 *)PLACE(${launchHeader + 2});
    i64 rest = member, go = 0;
    for (i32 d = ${mostFlashDims - 1}; d >= 0; d--) {
      const i64 extent = a.v[${at + 9} + 5 * d], i = rest % extent;
      rest /= extent;
      q += i * a.v[${at + 10} + 5 * d]; k += i * a.v[${at + 11} + 5 * d]; v += i * a.v[${at + 12} + 5 * d]; go += i * a.v[${at + 13} + 5 * d];
    }`;

/** Logarithms of the sums of a member's queries, behind all outputs; gradients of outputs; their products with the outputs. */
const gradients = `
    const u16 *const g = (const u16 *)PLACE(${launchHeader + 4}) + go;
    const f32 *const logs = (const f32 *)PLACE(${launchHeader + 3}) + members * queries * D + member * queries;
    const f32 *const sums = (const f32 *)PLACE(${launchHeader + 5}) + member * queries;`;

/** Outputs, and behind them the logarithm of each query's sum. */
const outputText = (name: string, width: number) => `${begin(name, width, width <= 64 ? 3 : 1)}
    __shared__ __align__(16) u16 ks[T > ${own} ? T * (D + 8) : ${own} * (D + 8)];
    __shared__ __align__(16) u16 vs[T * (D + 8)];
    const i32 first = (i32)(gridDim.x - 1 - blockIdx.x) * ${own};
    load<D, ${own}>(ks, q + first * qr, qr, queries - first < ${own} ? queries - first : ${own}, aligned);
    __syncthreads();
    u32 x[D / 16][4];
    rowsOf<D>(x, ks, warp * 16, group, pair);
    f32 o[D / 8][4], top[2] = { -__int_as_float(0x7f800000), -__int_as_float(0x7f800000) }, sum[2] = { 0.f, 0.f };
    _Pragma("unroll") for (i32 i = 0; i < D / 2; i++) o[i / 4][i % 4] = 0.f;
    const i32 seen = causal && first + ${own} + late < keys ? first + ${own} + late : keys;
    Rows<D, T> nextK, nextV;
    nextK.fetch(k, kr, keys, aligned);
    nextV.fetch(v, vr, keys, aligned);
    for (i32 k0 = 0; k0 < seen; k0 += T) {
      const i32 limit = keys - k0 < T ? keys - k0 : T;
      /* Whether a query of the block does not see a key of the tile. */
      const bool edge = limit < T || (causal && k0 + T - 1 > first + late);
      __syncthreads();
      nextK.place(ks);
      nextV.place(vs);
      __syncthreads();
      if (k0 + T < seen) {
        nextK.fetch(k + (k0 + T) * kr, kr, keys - k0 - T, aligned);
        nextV.fetch(v + (k0 + T) * vr, vr, keys - k0 - T, aligned);
      }
      f32 s[T / 8][4];
      scores<D, T>(s, x, ks, lane);
      _Pragma("unroll") for (i32 h = 0; h < 2; h++) {
        const i32 row = first + warp * 16 + h * 8 + group;
        f32 most = top[h];
        _Pragma("unroll") for (i32 i = 0; i < T / 4; i++) {
          f32 &e = s[i / 2][h * 2 + i % 2];
          e *= scale;
          if (edge) {
            const i32 key = k0 + i / 2 * 8 + pair + i % 2;
            if (key >= keys || (causal && key > row + late)) e = -__int_as_float(0x7f800000);
          }
          most = fmaxf(most, e);
        }
        most = quadMax(most);
        const f32 safe = most == -__int_as_float(0x7f800000) ? 0.f : most, again = power2(top[h] - safe);
        f32 total = 0.f;
        _Pragma("unroll") for (i32 i = 0; i < T / 4; i++) {
          f32 &e = s[i / 2][h * 2 + i % 2];
          e = power2(e - safe);
          total += e;
        }
        sum[h] = sum[h] * again + quadSum(total);
        top[h] = most;
        _Pragma("unroll") for (i32 i = 0; i < D / 4; i++) o[i / 2][h * 2 + i % 2] *= again;
      }
      gather<D, T>(o, s, vs, lane);
    }
    f32 *const out = (f32 *)PLACE(${launchHeader + 6});
    _Pragma("unroll") for (i32 h = 0; h < 2; h++) {
      const i32 row = first + warp * 16 + h * 8 + group;
      if (row >= queries) continue;
      const f32 inverse = sum[h] > 0.f ? 1.f / sum[h] : 0.f;
      _Pragma("unroll") for (i32 i = 0; i < D / 4; i++)
        out[(member * queries + row) * D + i / 2 * 8 + pair + i % 2] = o[i / 2][h * 2 + i % 2] * inverse;
      if (pair == 0) out[members * queries * D + member * queries + row] = sum[h] > 0.f ? top[h] + log2f(sum[h]) : __int_as_float(0x7f800000);
    }
    __syncthreads();
  }
}`;

/** The gradient of the queries. */
const queriesText = (name: string, width: number) => `${begin(name, width, width <= 64 ? 3 : 1)}${gradients}
    __shared__ __align__(16) u16 ks[T > ${own} ? T * (D + 8) : ${own} * (D + 8)];
    __shared__ __align__(16) u16 vs[T * (D + 8)];
    const i32 first = (i32)(gridDim.x - 1 - blockIdx.x) * ${own};
    const i32 some = queries - first < ${own} ? queries - first : ${own};
    u32 x[D / 16][4], y[D / 16][4];
    load<D, ${own}>(ks, q + first * qr, qr, some, aligned);
    __syncthreads();
    rowsOf<D>(x, ks, warp * 16, group, pair);
    __syncthreads();
    load<D, ${own}>(ks, g + first * gr, gr, some, aligned);
    __syncthreads();
    rowsOf<D>(y, ks, warp * 16, group, pair);
    f32 o[D / 8][4], log[2], sum[2];
    _Pragma("unroll") for (i32 i = 0; i < D / 2; i++) o[i / 4][i % 4] = 0.f;
    _Pragma("unroll") for (i32 h = 0; h < 2; h++) {
      const i32 row = first + warp * 16 + h * 8 + group;
      log[h] = row < queries ? logs[row] : __int_as_float(0x7f800000);
      sum[h] = row < queries ? sums[row] : 0.f;
    }
    const i32 seen = causal && first + ${own} + late < keys ? first + ${own} + late : keys;
    for (i32 k0 = 0; k0 < seen; k0 += T) {
      const i32 limit = keys - k0 < T ? keys - k0 : T;
      /* Whether a query of the block does not see a key of the tile. */
      const bool edge = limit < T || (causal && k0 + T - 1 > first + late);
      __syncthreads();
      Rows<D, T> nextK, nextV;
      nextK.fetch(k + k0 * kr, kr, limit, aligned);
      nextV.fetch(v + k0 * vr, vr, limit, aligned);
      nextK.place(ks);
      nextV.place(vs);
      __syncthreads();
      f32 s[T / 8][4], p[T / 8][4];
      scores<D, T>(s, x, ks, lane);
      scores<D, T>(p, y, vs, lane);
      _Pragma("unroll") for (i32 i = 0; i < T / 2; i++) {
        const i32 h = i / 2 % 2;
        f32 &e = s[i / 4][i % 4];
        f32 w = power2(e * scale - log[h]);
        if (edge) {
          const i32 key = k0 + i / 4 * 8 + pair + i % 2, row = first + warp * 16 + h * 8 + group;
          if (key >= keys || (causal && key > row + late)) w = 0.f;
        }
        e = w * (p[i / 4][i % 4] - sum[h]);
      }
      gather<D, T>(o, s, ks, lane);
    }
    f32 *const out = (f32 *)PLACE(${launchHeader + 6});
    _Pragma("unroll") for (i32 i = 0; i < D / 2; i++) {
      const i32 row = first + warp * 16 + i / 2 % 2 * 8 + group;
      if (row < queries) out[(member * queries + row) * D + i / 4 * 8 + pair + i % 2] = o[i / 4][i % 4] * (scale * ${Math.LN2}f);
    }
    __syncthreads();
  }
}`;

/** The gradients of keys, and behind them of values. */
const keysText = (name: string, width: number) => `${begin(name, width)}${gradients}
    __shared__ __align__(16) u16 qs[T > ${own} ? T * (D + 8) : ${own} * (D + 8)];
    __shared__ __align__(16) u16 gs[T * (D + 8)];
    __shared__ f32 log[T], sum[T];
    const i32 first = (i32)blockIdx.x * ${own};
    const i32 some = keys - first < ${own} ? keys - first : ${own};
    u32 x[D / 16][4], y[D / 16][4];
    load<D, ${own}>(qs, k + first * kr, kr, some, aligned);
    __syncthreads();
    rowsOf<D>(x, qs, warp * 16, group, pair);
    __syncthreads();
    load<D, ${own}>(qs, v + first * vr, vr, some, aligned);
    __syncthreads();
    rowsOf<D>(y, qs, warp * 16, group, pair);
    f32 dk[D / 8][4], dv[D / 8][4];
    _Pragma("unroll") for (i32 i = 0; i < D / 2; i++) dk[i / 4][i % 4] = dv[i / 4][i % 4] = 0.f;
    /* The first tile with a query that sees one of these keys. */
    const i32 start = causal && first > late ? (first - late) / T * T : 0;
    for (i32 q0 = start; q0 < queries; q0 += T) {
      const i32 limit = queries - q0 < T ? queries - q0 : T;
      const bool edge = limit < T || first + ${own} > keys || (causal && first + ${own} - 1 > q0 + late);
      __syncthreads();
      Rows<D, T> nextQ, nextG;
      nextQ.fetch(q + q0 * qr, qr, limit, aligned);
      nextG.fetch(g + q0 * gr, gr, limit, aligned);
      nextQ.place(qs);
      nextG.place(gs);
      for (i32 i = t; i < T; i += ${threads}) {
        log[i] = i < limit ? logs[q0 + i] : __int_as_float(0x7f800000);
        sum[i] = i < limit ? sums[q0 + i] : 0.f;
      }
      __syncthreads();
      f32 s[T / 8][4], p[T / 8][4];
      scores<D, T>(s, x, qs, lane);
      scores<D, T>(p, y, gs, lane);
      _Pragma("unroll") for (i32 i = 0; i < T / 2; i++) {
        const i32 column = i / 4 * 8 + pair + i % 2;
        f32 &e = s[i / 4][i % 4];
        e = power2(e * scale - log[column]);
        if (edge) {
          const i32 key = first + warp * 16 + i / 2 % 2 * 8 + group, row = q0 + column;
          if (key >= keys || row >= queries || (causal && key > row + late)) e = 0.f;
        }
        p[i / 4][i % 4] = e * (p[i / 4][i % 4] - sum[column]);
      }
      gather<D, T>(dv, s, gs, lane);
      gather<D, T>(dk, p, qs, lane);
    }
    f32 *const out = (f32 *)PLACE(${launchHeader + 6});
    _Pragma("unroll") for (i32 i = 0; i < D / 2; i++) {
      const i32 key = first + warp * 16 + i / 2 % 2 * 8 + group, to = (member * keys + key) * D + i / 4 * 8 + pair + i % 2;
      if (key >= keys) continue;
      out[to] = dk[i / 4][i % 4] * (scale * ${Math.LN2}f);
      out[members * keys * D + to] = dv[i / 4][i % 4];
    }
    __syncthreads();
  }
}`;

const texts = { output: outputText, queries: queriesText, keys: keysText };

/** The kernel of a step. */
export const flashText = (s: FlashStep): string => texts[s.part](flashName(s), s.width);
