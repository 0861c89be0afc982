import {
  type AttendStep,
  attendTile,
  itemsOf,
  mostAttendAxes,
  mostKeyWidth,
  mostValueWidth,
  queriesTogether,
} from "../../kernel/attend-step.ts";
import type { GemmLaunch } from "./gemm.ts";
import { launchHeader } from "./prelude.ts";

/**
 * Attention to a cache. A block of eight warps has one item and up to eight queries, which share each key that is read. It takes the keys
 * in tiles: scores go to shared memory, then become weights under the largest score so far, then weight the values. In f32, in an
 * order of sums that is the same in every run.
 */
const threads = 256;
const warps = threads / 32;
const together = [1, 2, 4, 8] as const;

const place = { q: 0, k: 1, v: 2, lengths: 3, rows: 4, out: 5, partial: 6 } as const;
const first = launchHeader + Object.keys(place).length;
const fields = [
  ...["queries", "slots", "width", "wide", "scale", "causal", "half", "splits"],
  ...["entries", "rowStride", "qRow", "qColumn", "kRow", "vRow", "lines", "axes"],
] as const;
const axesAt = first + fields.length;
/** Words of the arguments: places, sizes and strides, and the leading axes. */
export const attendWords = axesAt + 5 * mostAttendAxes;

/** The words after the places. */
export function attendFields(s: AttendStep): number[] {
  // Scores are exponents of 2.
  const scale = new Int32Array(Float32Array.of(s.scale * Math.LOG2E).buffer)[0];
  return [
    ...[s.queries, s.slots, s.width, s.wide, scale, s.causal ? 1 : 0, s.half ? 1 : 0, s.splits],
    ...[s.rows?.entries ?? 0, s.rows?.stride ?? 0, ...s.qStrides, s.kRow, s.vRow],
    ...[itemsOf(s.lead) * s.queries, s.lead.length],
    ...s.lead.flatMap((d) => [d.extent, d.q, d.k, d.v, d.lengths]),
  ];
}

/** The kernels of a step: attention, and the merging of divided items. */
export function attendLaunches(s: AttendStep): GemmLaunch[] {
  const each = queriesTogether(s.queries);
  const grid = [itemsOf(s.lead), Math.ceil(s.queries / each), s.splits] as const;
  const merged = Math.ceil((itemsOf(s.lead) * s.queries * s.wide) / threads);
  return [
    { name: `attend${each}`, grid },
    ...(s.splits > 1 ? [{ name: "attendMerge", grid: [merged, 1, 1] as const }] : []),
  ];
}

export const attendKernels: readonly string[] = [...together.map((n) => `attend${n}`), "attendMerge"];

export const attendText = (): string => [head, ...together.map(kernelText), mergeText].join("\n");

const field = (name: (typeof fields)[number]) => `(i32)a.v[${first + fields.indexOf(name)}]`;
const pointer = (name: keyof typeof place, type = "f32") => `(${type} *)PLACE(${launchHeader + place[name]})`;

const head = `
struct Attend { i64 v[${attendWords}]; };
struct __align__(16) F4 { f32 x, y, z, w; };
INLINE f32 dot4(const F4 &a, const F4 &b, f32 s) { return __fmaf_rn(a.w, b.w, __fmaf_rn(a.z, b.z, __fmaf_rn(a.y, b.y, __fmaf_rn(a.x, b.x, s)))); }
INLINE void add4(F4 &s, f32 p, const F4 &x) { s.x = __fmaf_rn(p, x.x, s.x); s.y = __fmaf_rn(p, x.y, s.y); s.z = __fmaf_rn(p, x.z, s.z); s.w = __fmaf_rn(p, x.w, s.w); }
/* A number joined with one of another lane. */
INLINE f32 plus(f32 x, f32 own, i32 distance) { const f32 other = __shfl_xor_sync(0xffffffffu, own, distance); return x + other; }
INLINE f32 higher(f32 x, i32 distance) { const f32 other = __shfl_xor_sync(0xffffffffu, x, distance); return fmaxf(x, other); }
#define NOTHING (-__builtin_inff())
`;

/**
 * Adds `n` partial sums of each of eight lanes across them: lanes first exchange halves of the sums, so that few values move.
 * Lane g ends with the sum of query g / (8 / n).
 */
function acrossLanes(name: string, n: number): string {
  const lines: string[] = [];
  let left = n;
  for (let distance = 4; distance >= 1; distance /= 2) {
    if (left === 1) lines.push(`${name}[0] = plus(${name}[0], ${name}[0], ${distance});`);
    else {
      left /= 2;
      for (let i = 0; i < left; i++)
        lines.push(
          `{ const bool upper = (g & ${distance}) != 0; const f32 mine = upper ? ${name}[${i + left}] : ${name}[${i}], other = upper ? ${name}[${i}] : ${name}[${i + left}]; ${name}[${i}] = plus(mine, other, ${distance}); }`,
        );
    }
  }
  return lines.join("\n        ");
}

const kernelText = (n: (typeof together)[number]) => `
extern "C" __global__ void __launch_bounds__(${threads}) attend${n}(const Attend a) {
  if (!ALIVE) return;
  __shared__ __align__(16) f32 asked[${n * mostKeyWidth}];
  /* The weights of a tile, and at the end sums of values. */
  __shared__ __align__(16) f32 room[${n * mostValueWidth}];
  __shared__ f32 tops[${warps * n}], totals[${warps * n}], factors[${n}], best[${n}];
  const i32 t = (i32)threadIdx.x, lane = t & 31, warp = t / 32, g = lane & 7, row = lane / 8;
  const i32 queries = ${field("queries")}, slots = ${field("slots")}, width = ${field("width")}, wide = ${field("wide")};
  const i32 splits = ${field("splits")}, from = (i32)blockIdx.y * ${n}, pitch = (width + 31) / 32 * 32;
  const bool causal = ${field("causal")} != 0;
  const f32 *q = ${pointer("q", "const f32")}, *k = ${pointer("k", "const f32")}, *v = ${pointer("v", "const f32")};
  u32 item = blockIdx.x;
  i64 at = 0;
  _Pragma("unroll 1") for (i32 d = ${field("axes")} - 1; d >= 0; d--) {
    const i64 *const axis = a.v + ${axesAt} + 5 * d;
    const u32 extent = (u32)axis[0], index = item % extent;
    i64 entry = index;
    item /= extent;
    if (d == 0 && a.v[${launchHeader + place.rows}] != -1) {
      entry = (${pointer("rows", "const i32")})[index * ${field("rowStride")}];
      entry = entry < 0 ? 0 : entry < ${field("entries")} ? entry : ${field("entries")} - 1;
    }
    q += index * axis[1]; k += entry * axis[2]; v += entry * axis[3]; at += index * axis[4];
  }
  const i32 length = (${pointer("lengths", "const i32")})[at];
  /* Keys that query i sees; a causal query sees one more than the query before it. */
  const i32 least = causal ? (length > 0 ? length : 0) - (queries - 1) : length, more = causal ? 1 : 0;
#define SEEN(i) ((i) >= queries || least + (i) * more <= 0 ? 0 : least + (i) * more < slots ? least + (i) * more : slots)
  const i32 last = from + ${n} < queries ? from + ${n - 1} : queries - 1;
  const i32 fewest = SEEN(from), most = SEEN(last);
  const f32 scale = __int_as_float(${field("scale")});
  _Pragma("unroll 1") for (i32 e = t; e < ${n} * pitch; e += ${threads}) {
    const i32 i = from + e / pitch, d = e % pitch;
    asked[e] = i < queries && d < width ? q[i * ${field("qRow")} + d * ${field("qColumn")}] * scale : 0.f;
  }
  /* In scores a group of eight lanes has a key, and each of its lanes then a query; weights have the queries side by side. */
  const i32 scored = g / ${8 / n}, seenScored = SEEN(from + scored), weighted = t % ${n}, seenWeighted = SEEN(from + weighted);
  const i32 kRow = ${field("kRow")}, vRow = ${field("vRow")};
  const i32 across = wide / 4, groups = ${threads} / across, group = t / across, column = t % across * 4;
  f32 top = NOTHING, total = 0.f;
  F4 sums[${n}];
  _Pragma("unroll") for (i32 i = 0; i < ${n}; i++) sums[i].x = sums[i].y = sums[i].z = sums[i].w = 0.f;
  _Pragma("unroll 1") for (i32 start = (i32)blockIdx.z * ${attendTile}; start < most; start += splits * ${attendTile}) {
    const i32 count = most - start < ${attendTile} ? most - start : ${attendTile};
    __syncthreads();
    f32 high = NOTHING;
    _Pragma("unroll 1") for (i32 p = warp * 8; p < count; p += ${8 * warps}) {
      const i32 p0 = p + row, p1 = p0 + 4;
      const f32 *const k0 = k + (start + (p0 < count ? p0 : count - 1)) * kRow, *const k1 = k + (start + (p1 < count ? p1 : count - 1)) * kRow;
      f32 s0[${n}], s1[${n}];
      _Pragma("unroll") for (i32 i = 0; i < ${n}; i++) s0[i] = s1[i] = 0.f;
      _Pragma("unroll 1") for (i32 c = 4 * g; c < width; c += 32) {
        const F4 x0 = *(const F4 *)(k0 + c), x1 = *(const F4 *)(k1 + c);
        _Pragma("unroll") for (i32 i = 0; i < ${n}; i++) {
          const F4 y = *(const F4 *)&asked[i * pitch + c];
          s0[i] = dot4(x0, y, s0[i]);
          s1[i] = dot4(x1, y, s1[i]);
        }
      }
        ${acrossLanes("s0", n)}
        ${acrossLanes("s1", n)}
      if (g % ${8 / n} == 0) {
        if (p0 < count) { const f32 s = start + p0 < seenScored ? s0[0] : NOTHING; room[p0 * ${n} + scored] = s; high = fmaxf(high, s); }
        if (p1 < count) { const f32 s = start + p1 < seenScored ? s1[0] : NOTHING; room[p1 * ${n} + scored] = s; high = fmaxf(high, s); }
      }
    }
    high = higher(high, 8);
    high = higher(high, 16);
    if (row == 0 && g % ${8 / n} == 0) tops[warp * ${n} + scored] = high;
    __syncthreads();
    f32 next = top;
    _Pragma("unroll") for (i32 w = 0; w < ${warps}; w++) next = fmaxf(next, tops[w * ${n} + weighted]);
    const f32 factor = top == next ? 1.f : exp2f(top - next);
    top = next;
    total *= factor;
    if (t < ${n}) factors[t] = factor;
    _Pragma("unroll 2") for (i32 e = t; e < count * ${n}; e += ${threads}) {
      const f32 weight = start + e / ${n} < seenWeighted && top != NOTHING ? exp2f(room[e] - top) : 0.f;
      room[e] = weight;
      total += weight;
    }
    __syncthreads();
    _Pragma("unroll") for (i32 i = 0; i < ${n}; i++) { const f32 f = factors[i]; sums[i].x *= f; sums[i].y *= f; sums[i].z *= f; sums[i].w *= f; }
    if (group < groups) {
      i32 p = group;
      const i32 shared = fewest - start < count ? fewest - start : count;
      _Pragma("unroll 4") for (; p < shared; p += groups) {
        const F4 x = *(const F4 *)(v + (start + p) * vRow + column);
        _Pragma("unroll") for (i32 i = 0; i < ${n}; i++) add4(sums[i], room[p * ${n} + i], x);
      }
      /* A weight of 0 does not hide a NaN. */
      _Pragma("unroll 1") for (; p < count; p += groups) {
        const F4 x = *(const F4 *)(v + (start + p) * vRow + column);
        _Pragma("unroll") for (i32 i = 0; i < ${n}; i++) if (start + p < least + (from + i) * more) add4(sums[i], room[p * ${n} + i], x);
      }
    }
  }
  for (i32 half = 16; half >= ${n}; half /= 2) total = plus(total, total, half);
  __syncthreads();
  if (lane < ${n}) totals[warp * ${n} + lane] = total;
  if (t < ${n}) best[t] = top;
  if (group < groups) _Pragma("unroll") for (i32 i = 0; i < ${n}; i++) *(F4 *)&room[(group * ${n} + i) * wide + column] = sums[i];
  __syncthreads();
  _Pragma("unroll 1") for (i32 e = t; e < ${n} * wide; e += ${threads}) {
    const i32 i = e / wide, d = e % wide;
    if (from + i >= queries) break;
    f32 s = 0.f, all = 0.f;
    _Pragma("unroll 4") for (i32 j = 0; j < groups; j++) s += room[(j * ${n} + i) * wide + d];
    _Pragma("unroll") for (i32 w = 0; w < ${warps}; w++) all += totals[w * ${n} + i];
    const i64 line = (i64)blockIdx.x * queries + from + i;
    if (splits > 1) {
      f32 *const to = ${pointer("partial")} + (line * splits + blockIdx.z) * (wide + 4);
      to[4 + d] = s;
      if (d == 0) { to[0] = best[i]; to[1] = all; to[2] = (f32)(SEEN(from + i) > 0); }
    } else {
      const f32 y = SEEN(from + i) > 0 ? s / all : 0.f;
      if (${field("half")}) (${pointer("out", "u16")})[line * wide + d] = halved(y);
      else (${pointer("out")})[line * wide + d] = y;
    }
  }
#undef SEEN
}`;

/** Sums of the parts of divided items, under the largest score of any part. */
const mergeText = `
extern "C" __global__ void __launch_bounds__(${threads}) attendMerge(const Attend a) {
  if (!ALIVE) return;
  const i32 wide = ${field("wide")}, splits = ${field("splits")};
  const i64 total = a.v[${first + fields.indexOf("lines")}] * wide;
  for (i64 e = (i64)blockIdx.x * blockDim.x + threadIdx.x; e < total; e += (i64)gridDim.x * blockDim.x) {
    const i64 line = e / wide, d = e % wide;
    const f32 *const parts = ${pointer("partial", "const f32")} + line * splits * (wide + 4);
    f32 top = NOTHING, s = 0.f, all = 0.f;
    for (i32 z = 0; z < splits; z++) top = fmaxf(top, parts[z * (wide + 4)]);
    for (i32 z = 0; z < splits; z++) {
      const f32 *const part = parts + z * (wide + 4);
      const f32 factor = part[0] == top ? 1.f : exp2f(part[0] - top);
      s = __fmaf_rn(factor, part[4 + d], s);
      all = __fmaf_rn(factor, part[1], all);
    }
    const f32 y = parts[2] != 0.f ? s / all : 0.f;
    if (${field("half")}) (${pointer("out", "u16")})[e] = halved(y);
    else (${pointer("out")})[e] = y;
  }
}
#undef NOTHING`;
