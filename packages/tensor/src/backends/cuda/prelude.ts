import { together } from "./adjacent.ts";

/**
 * The beginning of every generated CUDA text: types, and the operations that C lacks or leaves undefined. The operations have the names that
 * the C emitter uses (`native/operations.ts`), so that both share one table. NVRTC compiles it with exact flags (`flagsOf`): no contraction, no
 * flushing of denormals, division and square root rounded correctly.
 */
export const prelude = `\
typedef float f32; typedef int i32; typedef unsigned u32; typedef unsigned char u8; typedef unsigned short u16; typedef long long i64; typedef unsigned long long u64;
#define INLINE static __device__ __forceinline__
#define __builtin_sqrtf __fsqrt_rn
#define __builtin_floorf floorf
#define __builtin_ceilf ceilf
#define __builtin_truncf truncf
#define __builtin_rintf rintf
#define __builtin_inff() __int_as_float(0x7f800000)
#define __builtin_nanf(text) __int_as_float(0x7fffffff)
#define bits_f __float_as_int
#define bits_i __int_as_float
#define absf_ fabsf
#define fma_ __fmaf_rn
/* Both saturate and give 0 for NaN. */
#define f2i __float2int_rz
#define f2u __float2uint_rz
/* bf16: the upper half of an f32, rounded to the nearest, of two equally near to the even one. */
INLINE f32 widened(u16 x) { return __int_as_float((i32)((u32)x << 16)); }
INLINE u16 halved(f32 x) {
  const u32 b = (u32)__float_as_int(x);
  return x != x ? 0x7fff : (u16)((b + 0x7fff + (b >> 16 & 1)) >> 16);
}
INLINE i32 divi(i32 a, i32 b) { return b == 0 ? 0 : b == -1 ? (i32)-(u32)a : a / b; }
INLINE i32 remi(i32 a, i32 b) { return b == 0 || b == -1 ? 0 : a % b; }
INLINE u32 divu(u32 a, u32 b) { return b == 0 ? 0 : a / b; }
INLINE u32 remu(u32 a, u32 b) { return b == 0 ? 0 : a % b; }
/* Lanes of an accumulator: of equal parts the second is kept, and a NaN is kept wherever it is. */
INLINE f32 low_f(f32 a, f32 b) { return a < b || a != a ? a : b; }
INLINE f32 high_f(f32 a, f32 b) { return a > b || a != a ? a : b; }
#define add_f(a, b) ((a) + (b))
#define mul_f(a, b) ((a) * (b))
#define add_i(a, b) ((i32)((u32)(a) + (u32)(b)))
#define mul_i(a, b) ((i32)((u32)(a) * (u32)(b)))
#define add_u(a, b) ((a) + (b))
#define mul_u(a, b) ((a) * (b))
#define min_i(a, b) ((a) < (b) ? (a) : (b))
#define max_i(a, b) ((a) > (b) ? (a) : (b))
#define min_u min_i
#define max_u max_i
#define add_b(a, b) ((a) + (b))
#define mul_b(a, b) ((a) * (b))
#define min_b min_i
#define max_b max_i
/* Adjacent elements that are loaded or stored at once. */
template <class T> struct __align__(${together} * sizeof(T)) wide { T e[${together}]; };
/* An argument of a launch names a buffer and an offset in it; the table of addresses is the first word of the arguments. */
#define PLACE(i) ((char *)(((const u64 *)a.v[0])[(u64)a.v[i] >> 48] + ((u64)a.v[i] & 0xffffffffffffull)))
/* 0, which the compiler does not know. */
#define ZERO ((i32)(a.v[1] >> 62))
/* -x, but not as a negation: see scalar.ts. */
#ifdef __CUDACC__
template <class T> INLINE T negated(T x) { T r; asm("{ .reg .b32 t; not.b32 t, %1; add.s32 %0, t, 1; }" : "=r"(r) : "r"(x)); return r; }
#else
template <class T> INLINE T negated(T x) { return (T)(~(u32)x + 1u); }
#endif
/* A launch in a loop whose length is known at run time ends at once where the loop has ended: word 1 names the loop's length, word 2 the iteration. */
#define ALIVE (a.v[1] == 0 || a.v[2] < (i64)((const u64 *)a.v[0])[a.v[1]])
`;

/** Words of a launch's arguments before the places: the table of addresses, the loop's length, and the iteration. */
export const launchHeader = 3;

/** Packs a buffer's word in the table and an offset into one argument. */
export const placeWord = (word: number, offset: number): bigint => (BigInt(word) << 48n) | BigInt(offset);

/** Flags of NVRTC under which f32 arithmetic has the bits of every other back end. */
const exactFlags = ["--fmad=false", "--ftz=false", "--prec-div=true", "--prec-sqrt=true"];

/** Flags for programs in bf16: multiplications and additions are fused, divisions and square roots approximate. */
const fastFlags = ["--fmad=true", "--ftz=true", "--prec-div=false", "--prec-sqrt=false"];

/** The first line of a text that is compiled with `fastFlags`. */
export const fastMark = "/* fast */";

/** The flags with which a text is compiled. */
export const flagsOf = (text: string): readonly string[] =>
  text.startsWith(fastMark) ? fastFlags : exactFlags;
