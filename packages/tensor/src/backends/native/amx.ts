/**
 * bf16 products on Intel's AMX tiles, as C; elsewhere `bf16_available` returns 0 and they run in f32.
 *
 * Both operands are rounded into tiles of 1 KiB: a's as 16 rows of 32 k, b's as 16 pairs of k for 16 columns. Every element adds
 * its pairs with k rising, starting from the bias, so results do not depend on how c is shared. Denormals are treated as zero here.
 */
export const amx = `
#if defined(__AMX_TILE__) && defined(__AMX_BF16__) && defined(__AVX512BF16__) && defined(__AVX512BW__) && defined(__linux__)
#include <immintrin.h>

/* The kernel grants tile registers on request, once for the whole process. */
static int bf16_available(void) {
  static int known = -1;
  if (known < 0) known = syscall(SYS_arch_prctl, 0x1023 /* ARCH_REQ_XCOMP_PERM */, 18 /* tile data */) == 0;
  return known;
}

/* 32 adjacent k of one row, as 16 pairs. */
INLINE __m512i pairs_along(const f32 *x) {
  return (__m512i)_mm512_cvtne2ps_pbh(_mm512_loadu_ps(x + 16), _mm512_loadu_ps(x));
}
/* k and k + 1 of 16 adjacent rows, as 16 pairs. */
INLINE __m512i pairs_across(const f32 *x, long ks) {
  const __m512i both = (__m512i)_mm512_cvtne2ps_pbh(_mm512_loadu_ps(x + ks), _mm512_loadu_ps(x));
  const __m512i order = _mm512_set_epi16(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8, 23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
  return _mm512_permutexvar_epi16(order, both);
}

/* One tile of 16 rows × 32 k from x[row * rs + k * ks]; elements past rows and depth are zero. By pairs: k runs over the tile's rows. */
static void pack_tile(i32 *to, const f32 *x, long rs, long ks, long rows, long depth, int by_pairs) {
  const __m512i column = _mm512_mullo_epi32(_mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0), _mm512_set1_epi32(16));
  if (rows == 16 && depth == 32 && rs == 1 && ks != 1) {
    for (long p = 0; p < 16; p++) {
      const __m512i pairs = pairs_across(x + 2 * p * ks, ks);
      if (by_pairs) _mm512_storeu_si512(to + 16 * p, pairs);
      else _mm512_i32scatter_epi32(to + p, column, pairs, 4);
    }
    return;
  }
  f32 whole[16 * 32] __attribute__((aligned(64)));
  if (rows < 16 || depth < 32 || ks != 1) {
    for (long r = 0; r < 16; r++)
      for (long p = 0; p < 32; p++) whole[r * 32 + p] = r < rows && p < depth ? x[r * rs + p * ks] : 0.f;
    x = whole; rs = 32;
  }
  for (long r = 0; r < 16; r++) {
    const __m512i pairs = pairs_along(x + r * rs);
    if (by_pairs) _mm512_i32scatter_epi32(to + r, column, pairs, 4);
    else _mm512_storeu_si512(to + 16 * r, pairs);
  }
}

INLINE long least(long a, long b) { return a < b ? a : b; }

static void bf16_block(const struct product *g, const f32 *a, const f32 *b, f32 *c, const f32 *bias) {
  const long m = g->m, n = g->n, k = g->k, deep = (k + 31) / 32, wide = (n + 31) / 32 * 2;
  i32 *const bt = (i32 *)reserve(&space_b, deep * wide * 256);
  i32 *const at = (i32 *)reserve(&space_a, deep * 2 * 256);
  f32 out[32 * 32] __attribute__((aligned(64))), first[32] __attribute__((aligned(64)));
  struct { u8 palette, start, pad[14]; unsigned short bytes[16]; u8 rows[16]; } config __attribute__((aligned(64)));
  memset(&config, 0, sizeof config);
  config.palette = 1;
  for (int i = 0; i < 8; i++) { config.bytes[i] = 64; config.rows[i] = 16; }
  /* gcc 12 does not see that the instruction reads the configuration and drops the stores. */
  __asm__ volatile("" : : "r"(&config) : "memory");
  _tile_loadconfig(&config);
  for (long j = 0; j < wide; j++)
    for (long p = 0; p < deep; p++) {
      i32 *const to = bt + (j * deep + p) * 256;
      if (j * 16 >= n) memset(to, 0, 1024);
      else pack_tile(to, b + j * 16 * g->bcs + p * 32 * g->brs, g->bcs, g->brs, least(16, n - j * 16), least(32, k - p * 32), 1);
    }
  for (long i = 0; i < m; i += 32) {
    for (long h = 0; h < 2; h++)
      for (long p = 0; p < deep; p++) {
        i32 *const to = at + (h * deep + p) * 256;
        if (i + h * 16 >= m) memset(to, 0, 1024);
        else pack_tile(to, a + (i + h * 16) * g->ars + p * 32 * g->acs, g->ars, g->acs, least(16, m - i - h * 16), least(32, k - p * 32), 0);
      }
    /* Nor does it see that tile loads read memory. */
    __asm__ volatile("" ::: "memory");
    for (long j = 0; j < n; j += 32) {
      const long rows = least(32, m - i), columns = least(32, n - j);
      const int full = rows == 32 && columns == 32;
      if (bias) {
        for (long q = 0; q < 32; q++) first[q] = q < columns ? bias[j + q] : 0.f;
        __asm__ volatile("" : : "r"(first) : "memory");
        /* A stride of 0 repeats the row. */
        _tile_loadd(0, first, 0); _tile_loadd(1, first + 16, 0); _tile_loadd(2, first, 0); _tile_loadd(3, first + 16, 0);
      } else { _tile_zero(0); _tile_zero(1); _tile_zero(2); _tile_zero(3); }
      const i32 *a0 = at, *a1 = at + deep * 256, *b0 = bt + j / 16 * deep * 256, *b1 = b0 + deep * 256;
      for (long p = 0; p < deep; p++, a0 += 256, a1 += 256, b0 += 256, b1 += 256) {
        _tile_loadd(4, a0, 64); _tile_loadd(6, b0, 64); _tile_loadd(7, b1, 64); _tile_loadd(5, a1, 64);
        _tile_dpbf16ps(0, 4, 6); _tile_dpbf16ps(1, 4, 7); _tile_dpbf16ps(2, 5, 6); _tile_dpbf16ps(3, 5, 7);
      }
      f32 *const to = full ? c + i * g->cs + j : out;
      const long stride = full ? g->cs : 32;
      _tile_stored(0, to, stride * 4); _tile_stored(1, to + 16, stride * 4);
      _tile_stored(2, to + 16 * stride, stride * 4); _tile_stored(3, to + 16 * stride + 16, stride * 4);
      __asm__ volatile("" ::: "memory");
      if (!full) for (long r = 0; r < rows; r++) memcpy(c + (i + r) * g->cs + j, out + r * 32, columns * 4);
    }
  }
  _tile_release();
}
#else
static int bf16_available(void) { return 0; }
static void bf16_block(const struct product *g, const f32 *a, const f32 *b, f32 *c, const f32 *bias) {
  (void)g; (void)a; (void)b; (void)c; (void)bias;
}
#endif
`;
