/** Packing of large products on AVX-512, as C. Lines are prefetched: rows may be pages apart, which the processor does not follow. */
export const largePack = `
/* Rows, or columns, that packing prefetches ahead. */
#define LARGE_AHEAD 8
typedef double vd __attribute__((vector_size(64)));
#define PAIRS(a, b, x, y) (vf)MIX8((vd)(a), (vd)(b), x, y, x + 2, y + 2, x + 4, y + 4, x + 6, y + 6)
#if defined(__clang__)
#define MIX8(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#define MIX16(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define MIX8(a, b, ...) __builtin_shuffle(a, b, (long __attribute__((vector_size(64)))){ __VA_ARGS__ })
#define MIX16(a, b, ...) __builtin_shuffle(a, b, (int __attribute__((vector_size(64)))){ __VA_ARGS__ })
#endif
/* 16 × 16 elements, transposed in registers: columns of pairs, quads, halves and vectors in turn. */
INLINE void transpose(vf *r) {
  vf t[16];
#pragma GCC unroll 8
  for (int i = 0; i < 16; i += 2) {
    t[i] = MIX16(r[i], r[i + 1], 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29);
    t[i + 1] = MIX16(r[i], r[i + 1], 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31);
  }
#pragma GCC unroll 4
  for (int i = 0; i < 16; i += 4) {
    r[i] = PAIRS(t[i], t[i + 2], 0, 8); r[i + 1] = PAIRS(t[i], t[i + 2], 1, 9);
    r[i + 2] = PAIRS(t[i + 1], t[i + 3], 0, 8); r[i + 3] = PAIRS(t[i + 1], t[i + 3], 1, 9);
  }
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) {
    t[i] = (vf)MIX8((vd)r[i], (vd)r[i + 4], 0, 1, 4, 5, 8, 9, 12, 13); t[i + 4] = (vf)MIX8((vd)r[i], (vd)r[i + 4], 2, 3, 6, 7, 10, 11, 14, 15);
    t[i + 8] = (vf)MIX8((vd)r[i + 8], (vd)r[i + 12], 0, 1, 4, 5, 8, 9, 12, 13); t[i + 12] = (vf)MIX8((vd)r[i + 8], (vd)r[i + 12], 2, 3, 6, 7, 10, 11, 14, 15);
  }
#pragma GCC unroll 4
  for (int i = 0; i < 4; i++) {
    r[i] = (vf)MIX8((vd)t[i], (vd)t[i + 8], 0, 1, 4, 5, 8, 9, 12, 13); r[i + 8] = (vf)MIX8((vd)t[i], (vd)t[i + 8], 2, 3, 6, 7, 10, 11, 14, 15);
    r[i + 4] = (vf)MIX8((vd)t[i + 4], (vd)t[i + 12], 0, 1, 4, 5, 8, 9, 12, 13); r[i + 12] = (vf)MIX8((vd)t[i + 4], (vd)t[i + 12], 2, 3, 6, 7, 10, 11, 14, 15);
  }
}

/* Rows of a as k columns. Each column is stored as a whole vector, of which the next one overwrites the end. */
INLINE void large_pack_rows(f32 *to, const f32 *a, long ars, long acs, long k, const int height) {
  long p = 0;
  if (ars == 1)
    for (; p < k; p++, a += acs, to += height) {
      __builtin_memcpy(to, a, height * 4);
      __builtin_prefetch(a + LARGE_AHEAD * acs + height - 1, 0, 3);
    }
  else if (acs == 1)
    for (; p + W <= k; p += W, a += W) {
      vf r[16];
#pragma GCC unroll 16
      for (int i = 0; i < 16; i++) r[i] = LOAD(a + (i < height ? i : 0) * ars);
      transpose(r);
#pragma GCC unroll 16
      for (int i = 0; i < 16; i++, to += height) STORE(to, r[i]);
    }
  for (; p < k; p++, a += acs, to += height)
    for (int i = 0; i < height; i++) to[i] = a[i * ars];
}
static void large_pack_a(f32 *to, const f32 *a, long ars, long acs, long k, int low) {
  if (low) large_pack_rows(to, a, ars, acs, k, LARGE_LOW);
  else large_pack_rows(to, a, ars, acs, k, LARGE_ROWS);
}

/* 32 columns of b as k rows. */
static void large_pack_b(f32 *to, const f32 *b, long brs, long bcs, long k) {
  long p = 0;
  if (bcs == 1) {
    for (; p < k; p++, b += brs, to += LARGE_COLUMNS)
#pragma GCC unroll 2
      for (int j = 0; j < LARGE_COLUMNS; j += W) {
        STORE(to + j, LOAD(b + j));
        __builtin_prefetch(b + LARGE_AHEAD * brs + j, 0, 3);
      }
    return;
  }
  if (brs == 1)
    for (; p + W <= k; p += W, b += W, to += W * LARGE_COLUMNS)
      for (int half = 0; half < LARGE_COLUMNS; half += W) {
        vf r[16];
#pragma GCC unroll 16
        for (int i = 0; i < 16; i++) r[i] = LOAD(b + (half + i) * bcs);
        transpose(r);
#pragma GCC unroll 16
        for (int i = 0; i < 16; i++) STORE(to + i * LARGE_COLUMNS + half, r[i]);
      }
  for (; p < k; p++, b += brs, to += LARGE_COLUMNS)
    for (int j = 0; j < LARGE_COLUMNS; j++) to[j] = b[j * bcs];
}
`;
