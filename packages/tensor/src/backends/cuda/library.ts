import { attendKernels, attendText } from "./attend.ts";
import { gemmKernels, gemmText } from "./gemm.ts";
import { gemmHalfText } from "./gemm-half.ts";
import { launchHeader } from "./prelude.ts";

const [x, y, z, u, v] = [0, 1, 2, 3, 4].map((i) => launchHeader + i);

/**
 * Words of the arguments of `copyBytes` (two places, the bytes, and the steps of both places along the grid's z axis) and `setLength`
 * (a place, the largest length, and the word that gets it).
 */
export const libraryWords = launchHeader + 5;

/** The kernels that every program may use. */
export const libraryText = (): string => `${gemmText()}${gemmHalfText()}${attendText()}
struct L { i64 v[${libraryWords}]; };
extern "C" __global__ void __launch_bounds__(256) copyBytes(const L a) {
  if (!ALIVE) return;
  const char *const from = PLACE(${x}) + (i64)blockIdx.z * a.v[${u}];
  char *const to = PLACE(${y}) + (i64)blockIdx.z * a.v[${v}];
  const i64 bytes = a.v[${z}], start = (i64)blockIdx.x * blockDim.x + threadIdx.x, step = (i64)gridDim.x * blockDim.x;
  if ((((u64)from | (u64)to | (u64)bytes) & 3) == 0)
    for (i64 i = start; i < bytes / 4; i += step) ((u32 *)to)[i] = ((const u32 *)from)[i];
  else
    for (i64 i = start; i < bytes; i += step) to[i] = from[i];
}
/* A copy of an input in bf16: two places and the number of elements. */
extern "C" __global__ void __launch_bounds__(256) halveAll(const L a) {
  const f32 *const from = (const f32 *)PLACE(${x});
  u16 *const to = (u16 *)PLACE(${y});
  for (i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x; i < a.v[${z}]; i += (i64)gridDim.x * blockDim.x) to[i] = halved(from[i]);
}
/* The number of iterations of a loop, read when it begins: 0 where the loop around it has ended. */
extern "C" __global__ void __launch_bounds__(256) setLength(const L a) {
  i64 n = ALIVE ? *(const i32 *)PLACE(${x}) : 0;
  if (n > a.v[${y}]) n = a.v[${y}];
  ((u64 *)a.v[0])[a.v[${z}]] = (u64)(n < 0 ? 0 : n);
}`;

export const libraryKernels: readonly string[] = [
  ...gemmKernels,
  "gemmHalf",
  "biasRows",
  ...attendKernels,
  "copyBytes",
  "halveAll",
  "setLength",
];
