/**
 * The beginning of every generated C file: types, and the operations that C or the vector extensions lack or leave undefined.
 * One text serves all processors; macros choose the width. No headers: parsing arm_neon.h or immintrin.h would take longer than
 * compiling most programs, so the few instructions that vector extensions cannot express are one-line assembly, which gcc and
 * clang read alike.
 */
export const types = `\
typedef float f32; typedef int i32; typedef unsigned u32; typedef unsigned char u8; typedef unsigned long long u64;
#define INLINE static inline __attribute__((always_inline))
/* gcc 12's choice of induction variables miscompiles some loops that step backwards through memory. */
#if defined(__GNUC__) && !defined(__clang__)
#define PLAIN_LOOPS __attribute__((optimize("no-ivopts")))
#else
#define PLAIN_LOOPS
#endif
#define NOINLINE __attribute__((noinline))
#if defined(__AVX512F__)
#define W 16
#define X512 1
#elif defined(__AVX2__)
#define W 8
#else
#define W 4
#endif
#if defined(__AVX__)
#define XAVX 1
#endif
#if defined(__aarch64__)
#define ARM 1
#endif
`;

export const prelude = `${types}
#if W == 16
#define LANES L(0),L(1),L(2),L(3),L(4),L(5),L(6),L(7),L(8),L(9),L(10),L(11),L(12),L(13),L(14),L(15)
#define EACH L(0) L(1) L(2) L(3) L(4) L(5) L(6) L(7) L(8) L(9) L(10) L(11) L(12) L(13) L(14) L(15)
#define TREE(o,x) TREE4(o,EIGHT,x)
#define EIGHT(o,x,l) o(o(x[l],x[l+8]),o(x[l+4],x[l+12]))
#define PARTS 1
#define EVERY(x) x
#define JOIN(o,a) a[0]
#elif W == 8
#define LANES L(0),L(1),L(2),L(3),L(4),L(5),L(6),L(7)
#define EACH L(0) L(1) L(2) L(3) L(4) L(5) L(6) L(7)
#define TREE(o,x) TREE4(o,FOUR,x)
#define FOUR(o,x,l) o(x[l],x[l+4])
#define PARTS 2
#define EVERY(x) x, x
#define JOIN(o,a) o(a[0],a[1])
#else
#define LANES L(0),L(1),L(2),L(3)
#define EACH L(0) L(1) L(2) L(3)
#define TREE(o,x) TREE4(o,ONE,x)
#define ONE(o,x,l) x[l]
#define PARTS 4
#define EVERY(x) x, x, x, x
#define JOIN(o,a) o(o(a[0],a[2]),o(a[1],a[3]))
#endif
/* An accumulator's 16 lanes are PARTS vectors. They are reduced by halves: lane l with l + 8, then l + 4, l + 2 and l + 1. */
#define TREE4(o,p,x) o(o(p(o,x,0),p(o,x,2)),o(p(o,x,1),p(o,x,3)))
/* Signed sums and products are done on unsigned numbers, which may overflow. */
#define FOLDS(t, s, m) \\
INLINE t add_##s(t a, t b) { return (m)a + (m)b; } INLINE t mul_##s(t a, t b) { return (m)a * (m)b; } \\
INLINE t min_##s(t a, t b) { return a < b ? a : b; } INLINE t max_##s(t a, t b) { return a > b ? a : b; }
FOLDS(f32, f, f32) FOLDS(i32, i, u32) FOLDS(u32, u, u32) FOLDS(i32, b, i32)
typedef f32 vf __attribute__((vector_size(4*W)));
typedef i32 vi __attribute__((vector_size(4*W)));
typedef u32 vu __attribute__((vector_size(4*W)));
typedef u8 vb __attribute__((vector_size(W)));
typedef f32 vfm __attribute__((vector_size(4*W), aligned(4), may_alias));
typedef i32 vim __attribute__((vector_size(4*W), aligned(4), may_alias));
typedef u32 vum __attribute__((vector_size(4*W), aligned(4), may_alias));
typedef u8 vbm __attribute__((vector_size(W), aligned(1), may_alias));
#define L(l) l
static const vi iota = { LANES };
#undef L
#if W == 16
#define REPEAT(x) { x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x }
#elif W == 8
#define REPEAT(x) { x, x, x, x, x, x, x, x }
#else
#define REPEAT(x) { x, x, x, x }
#endif
#define splatf(x) ((vf)REPEAT(x))
#define splati(x) ((vi)REPEAT(x))
#define splatu(x) ((vu)REPEAT(x))
#define splatb(x) ((vi)REPEAT(-(x)))
INLINE i32 bits_f(f32 x) { i32 r; __builtin_memcpy(&r, &x, 4); return r; }
INLINE f32 bits_i(i32 x) { f32 r; __builtin_memcpy(&r, &x, 4); return r; }
INLINE f32 absf_(f32 x) { return __builtin_fabsf(x); }
INLINE vf vabsf_(vf x) { return (vf)((vi)x & 0x7fffffff); }
INLINE vf self(vi m, vf a, vf b) { return (vf)(((vi)a & m) | ((vi)b & ~m)); }
INLINE vi seli(vi m, vi a, vi b) { return (a & m) | (b & ~m); }
INLINE vu selu(vi m, vu a, vu b) { return (a & (vu)m) | (b & ~(vu)m); }
/* Division by zero gives 0; the one overflow wraps (it would raise a signal on x86). */
INLINE i32 divi(i32 a, i32 b) { return b == 0 ? 0 : b == -1 ? (i32)-(u32)a : a / b; }
INLINE i32 remi(i32 a, i32 b) { return b == 0 || b == -1 ? 0 : a % b; }
INLINE u32 divu(u32 a, u32 b) { return b == 0 ? 0 : a / b; }
INLINE u32 remu(u32 a, u32 b) { return b == 0 ? 0 : a % b; }
#define L(l) divi(a[l], b[l])
INLINE vi vdivi(vi a, vi b) { return (vi){ LANES }; }
#undef L
#define L(l) remi(a[l], b[l])
INLINE vi vremi(vi a, vi b) { return (vi){ LANES }; }
#undef L
#define L(l) divu(a[l], b[l])
INLINE vu vdivu(vu a, vu b) { return (vu){ LANES }; }
#undef L
#define L(l) remu(a[l], b[l])
INLINE vu vremu(vu a, vu b) { return (vu){ LANES }; }
#undef L
#if ARM
#define UNARY(name, arm, imm, c) \\
INLINE vf v##name(vf x) { vf r; __asm__(arm " %0.4s, %1.4s" : "=w"(r) : "w"(x)); return r; }
#elif X512
#define UNARY(name, arm, imm, c) \\
INLINE vf v##name(vf x) { vf r; __asm__("vrndscaleps $" #imm ", %1, %0" : "=v"(r) : "v"(x)); return r; }
#elif XAVX
#define UNARY(name, arm, imm, c) \\
INLINE vf v##name(vf x) { vf r; __asm__("vroundps $" #imm ", %1, %0" : "=x"(r) : "x"(x)); return r; }
#else
#define UNARY(name, arm, imm, c) INLINE vf v##name(vf x) { return (vf){ c(x[0]), c(x[1]), c(x[2]), c(x[3]) }; }
#endif
UNARY(floorf, "frintm", 9, __builtin_floorf)
UNARY(ceilf, "frintp", 10, __builtin_ceilf)
UNARY(truncf, "frintz", 11, __builtin_truncf)
UNARY(rintf, "frintn", 8, __builtin_rintf)
INLINE vf vsqrtf(vf x) {
#if ARM
  vf r; __asm__("fsqrt %0.4s, %1.4s" : "=w"(r) : "w"(x)); return r;
#elif XAVX
  vf r; __asm__("vsqrtps %1, %0" : "=v"(r) : "v"(x)); return r;
#else
  return (vf){ __builtin_sqrtf(x[0]), __builtin_sqrtf(x[1]), __builtin_sqrtf(x[2]), __builtin_sqrtf(x[3]) };
#endif
}
/* a < b ? a : b, which on x86 is what minps does, NaN and signed zeros included. */
INLINE vf vminf(vf a, vf b) {
#if XAVX
  vf r; __asm__("vminps %2, %1, %0" : "=v"(r) : "v"(a), "v"(b)); return r;
#else
  return self(a < b, a, b);
#endif
}
INLINE vf vmaxf(vf a, vf b) {
#if XAVX
  vf r; __asm__("vmaxps %2, %1, %0" : "=v"(r) : "v"(a), "v"(b)); return r;
#else
  return self(a > b, a, b);
#endif
}
/* The same with a bound that is neither zero nor NaN, for which ARM's own instructions agree. */
INLINE vf clipmin(vf a, vf b) {
#if ARM
  vf r; __asm__("fmin %0.4s, %1.4s, %2.4s" : "=w"(r) : "w"(a), "w"(b)); return r;
#else
  return vminf(a, b);
#endif
}
INLINE vf clipmax(vf a, vf b) {
#if ARM
  vf r; __asm__("fmax %0.4s, %1.4s, %2.4s" : "=w"(r) : "w"(a), "w"(b)); return r;
#else
  return vmaxf(a, b);
#endif
}
/* Lanes of min and max are reduced so that NaN propagates from either operand. */
INLINE f32 low_f(f32 a, f32 b) { return a < b || a != a ? a : b; }
INLINE f32 high_f(f32 a, f32 b) { return a > b || a != a ? a : b; }
INLINE vf vlow_f(vf a, vf b) { return self((a < b) | (a != a), a, b); }
INLINE vf vhigh_f(vf a, vf b) { return self((a > b) | (a != a), a, b); }
#if XAVX
/* TREE(o, x) for a sum or an extreme, half a vector at a time: lane by lane, an extreme is a chain of branches that cannot be predicted. */
typedef f32 half8 __attribute__((vector_size(32)));
typedef f32 half4 __attribute__((vector_size(16)));
typedef i32 mask8 __attribute__((vector_size(32)));
typedef i32 mask4 __attribute__((vector_size(16)));
#if defined(__clang__)
#define TURN(x, ...) __builtin_shufflevector(x, x, __VA_ARGS__)
#else
#define TURN(x, ...) __builtin_shuffle(x, (mask4){ __VA_ARGS__ })
#endif
#define PICK(mask, m, a, b) (((mask)(a) & (m)) | ((mask)(b) & ~(m)))
#define JOINS(name, eight, four_) \\
INLINE f32 name(vf x) { \\
  union { vf v; half8 e[(W + 7) / 8]; half4 q[W / 4]; f32 f[W]; } u = { x }; \\
  if (W == 16) { const half8 a = u.e[0], b = u.e[W / 16]; u.e[0] = eight; } \\
  if (W >= 8) { const half4 a = u.q[0], b = u.q[W >= 8]; u.q[0] = four_; } \\
  { const half4 a = u.q[0], b = TURN(a, 2, 3, 2, 3); u.q[0] = four_; } \\
  { const half4 a = u.q[0], b = TURN(a, 1, 1, 1, 1); u.q[0] = four_; } \\
  return u.f[0]; }
JOINS(tree_high, (half8)PICK(mask8, (a > b) | (a != a), a, b), (half4)PICK(mask4, (a > b) | (a != a), a, b))
JOINS(tree_low, (half8)PICK(mask8, (a < b) | (a != a), a, b), (half4)PICK(mask4, (a < b) | (a != a), a, b))
JOINS(tree_add, a + b, a + b)
#else
#define tree_high(x) TREE(high_f, x)
#define tree_low(x) TREE(low_f, x)
#define tree_add(x) TREE(add_f, x)
#endif
/* TREE(add_f, x), in three instructions where it is needed most. */
INLINE f32 total(vf x) {
#if ARM
  vf y; __asm__("ext %0.16b, %1.16b, %1.16b, #8\\n\\tfadd %0.4s, %0.4s, %1.4s\\n\\tfaddp %s0, %0.2s" : "=&w"(y) : "w"(x)); return y[0];
#else
  return tree_add(x);
#endif
}
INLINE vf vadd_f(vf a, vf b) { return a + b; } INLINE vf vmul_f(vf a, vf b) { return a * b; }
#define VFOLDS(t, s) \\
INLINE t vadd_##s(t a, t b) { return (t)((vu)a + (vu)b); } INLINE t vmul_##s(t a, t b) { return (t)((vu)a * (vu)b); } \\
INLINE t vmin_##s(t a, t b) { return sel##s(a < b, a, b); } INLINE t vmax_##s(t a, t b) { return sel##s(a > b, a, b); }
VFOLDS(vi, i) VFOLDS(vu, u)
INLINE vf vfma(vf a, vf b, vf c) {
#if ARM
  __asm__("fmla %0.4s, %1.4s, %2.4s" : "+w"(c) : "w"(a), "w"(b)); return c;
#elif defined(__FMA__) || X512
  __asm__("vfmadd231ps %2, %1, %0" : "+v"(c) : "v"(a), "v"(b)); return c;
#else
  return a * b + c;
#endif
}
/* Opaque to the compiler: gcc merges a negation with a fused operation, and loses the sign of a zero. */
INLINE f32 fma_(f32 a, f32 b, f32 c) {
#if ARM
  f32 r = __builtin_fmaf(a, b, c); __asm__("" : "+w"(r)); return r;
#elif defined(__FMA__) || X512
  f32 r = __builtin_fmaf(a, b, c); __asm__("" : "+x"(r)); return r;
#else
  return a * b + c;
#endif
}
/* Out of range is undefined in C, so these saturate by hand where the instruction does not. */
INLINE i32 f2i(f32 x) {
#if ARM
  i32 r; __asm__("fcvtzs %w0, %s1" : "=r"(r) : "w"(x)); return r;
#else
  return x >= 2147483648.f ? 2147483647 : x < -2147483648.f ? -2147483647 - 1 : x == x ? (i32)x : 0;
#endif
}
INLINE u32 f2u(f32 x) { return x >= 4294967296.f ? 4294967295u : x > 0.f ? (u32)x : 0u; }
INLINE vi vf2i(vf x) {
#if ARM
  vi r; __asm__("fcvtzs %0.4s, %1.4s" : "=w"(r) : "w"(x)); return r;
#elif XAVX
  vi r, big = x >= 2147483648.f; __asm__("vcvttps2dq %1, %0" : "=v"(r) : "v"(x));
  return ((r & ~big) | (big & 0x7fffffff)) & (x == x);
#else
  return (vi){ f2i(x[0]), f2i(x[1]), f2i(x[2]), f2i(x[3]) };
#endif
}
#define L(l) f2u(x[l])
INLINE vu vf2u(vf x) {
#if ARM
  vu r; __asm__("fcvtzu %0.4s, %1.4s" : "=w"(r) : "w"(x)); return r;
#else
  return (vu){ LANES };
#endif
}
#undef L
/* The sanitiser does not see what assembly reads and writes. */
#define L(l) p[l]
INLINE vi loadb(const u8 *p) {
#if ARM
  f32 x; vi r; __builtin_memcpy(&x, p, 4);
  __asm__("ushll %0.8h, %1.8b, #0\\n\\tushll %0.4s, %0.4h, #0" : "=w"(r) : "w"(x)); return r;
#elif defined(__AVX2__) && !defined(REINS_SANITIZED)
  vi r; __asm__("vpmovzxbd %1, %0" : "=v"(r) : "m"(*(const struct { u8 b[W]; } *)p)); return r;
#else
  return (vi){ LANES };
#endif
}
#undef L
INLINE void storeb(u8 *p, vi x) {
#if ARM
  f32 r; __asm__("xtn %0.4h, %1.4s\\n\\txtn %0.8b, %0.8h" : "=w"(r) : "w"(x)); __builtin_memcpy(p, &r, 4);
#elif X512 && !defined(REINS_SANITIZED)
  __asm__("vpmovdb %1, %0" : "=m"(*(struct { u8 b[W]; } *)p) : "v"(x));
#else
  *(vbm *)p = __builtin_convertvector(x & 255, vb);
#endif
}
/* The first lanes of a vector, selected by a mask; the others are 0, and are neither read nor written. */
#if X512 && !defined(REINS_SANITIZED)
#define MASKED 1
#define FIRST(n) ((unsigned short)((1u << (n)) - 1))
INLINE vf headf(const void *p, unsigned short m) { vf r; __asm__("vmovups %1, %0%{%2%}%{z%}" : "=v"(r) : "m"(*(const vfm *)p), "Yk"(m)); return r; }
#define headi(p, m) ((vi)headf(p, m))
#define headu(p, m) ((vu)headf(p, m))
INLINE vi headb(const u8 *p, unsigned short m) {
  vi r; __asm__("vpmovzxbd %1, %0%{%2%}%{z%}" : "=v"(r) : "m"(*(const struct { u8 b[W]; } *)p), "Yk"(m)); return r;
}
#define mix(m, a, b) mixed((vf)(a), (vf)(b), m)
INLINE vf mixed(vf a, vf b, unsigned short m) { __asm__("vmovaps %1, %0%{%2%}" : "+v"(b) : "v"(a), "Yk"(m)); return b; }
INLINE void puthead(void *p, vf x, unsigned short m) { __asm__("vmovups %1, %0%{%2%}" : "+m"(*(vfm *)p) : "v"(x), "Yk"(m)); }
INLINE void putheadb(u8 *p, vi x, unsigned short m) {
  __asm__("vpmovdb %1, %0%{%2%}" : "+m"(*(struct { u8 b[W]; } *)p) : "v"(x), "Yk"(m));
}
#endif
`;
