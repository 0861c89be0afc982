import { largeTile, largeTypes } from "./large-tile.ts";

/**
 * Large products on AVX-512, as C: blocks of a and panels of b for tiles of 14 × 2 vectors (28 accumulators).
 *
 * Everything that a tile is about to use is prefetched into the L2 cache while the previous one is computed: its part of c, whose
 * rows are distant lines, the next panel of b, and the rows of a that are packed next. With panels of 32 columns, 14 × 2 tiles
 * reach 98% of an Emerald Rapids core's multiply-adds, and 8 × 3 tiles 94%.
 */
export const gemmLarge = `
#if X512 && !ARM
#define LARGE_ROWS ${largeTile.rows}
#define LARGE_LOW ${largeTile.low}
#define LARGE_COLUMNS (${largeTile.vectors} * W)
/* Elements of k per block (measured: from 340 to 450 all are equal), and elements of the packed block of a: half of an L2 cache. */
/* Smaller products take longer to pack than they gain: measured. */
#ifndef LARGE_M
#define LARGE_M 112
#define LARGE_N 256
#define LARGE_K 256
#endif
/* Tiles during which the next panel of b is prefetched: over more of them, other lines replace it before it is used. */
#ifndef LARGE_LATE
#define LARGE_LATE 24
#endif
#ifndef LARGE_KC
#define LARGE_KC 384
#endif
#ifndef LARGE_A
#define LARGE_A (1L << 18)
#endif
${largeTypes}typedef double vd __attribute__((vector_size(64)));
#define PAIRS(a, b, x, y) (vf)MIX8((vd)(a), (vd)(b), x, y, x + 2, y + 2, x + 4, y + 4, x + 6, y + 6)
#define QUADS(a, b, p, q) (vf)MIX8((vd)(a), (vd)(b), p, p + 1, q, q + 1, p + 8, p + 9, q + 8, q + 9)
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
    for (; p < k; p++, a += acs, to += height) __builtin_memcpy(to, a, height * 4);
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

/* A part of a tile without copies. */
INLINE void fetch_lines(struct part *p, const f32 *at, long stride, long second, long count) {
  p->at = at; p->stride = stride * 4; p->second = second * 4; p->count = count; p->rows = 0;
}

static const f32 zeros[LARGE_COLUMNS];
/* Columns that fill whole panels. */
static void large(const struct product *g, const f32 *a, const f32 *b, f32 *c, const f32 *bias) {
  const long m = g->m, n = g->n, k = g->k, ars = g->ars, acs = g->acs, brs = g->brs, bcs = g->bcs, cs = g->cs;
  const long blocks = k <= 3 * LARGE_KC / 2 ? 1 : (k + LARGE_KC - 1) / LARGE_KC, kc = ((k + blocks - 1) / blocks + W - 1) & -W;
  const long whole = m / LARGE_ROWS, most = LARGE_A / kc / LARGE_ROWS, parts = (whole + most - 1) / most;
  const long count = (whole + parts - 1) / parts * LARGE_ROWS;
  f32 *const ap = reserve(&space_a, (count + LARGE_ROWS) * kc + W), *const bp = reserve(&space_b, kc * LARGE_COLUMNS);
  /* Rows of c that the next tile starts from. */
  f32 copies[2048] __attribute__((aligned(4096))), *kept = 0;
  for (long p = 0; p < k; p += kc) {
    const long depth = k - p < kc ? k - p : kc, groups = depth / 4;
    const int load = p > 0, through = bcs == 1;
    for (long i = 0, rows; i < m; i += rows) {
      rows = m - i < count + LARGE_ROWS ? m - i : count;
      /* So many low tiles that at most one row is left. */
      const long low = rows % LARGE_ROWS / 2 == 0 ? 0 : (LARGE_ROWS - rows % LARGE_ROWS) / 2 + rows % 2;
      const long tall = (rows - low * LARGE_LOW) / LARGE_ROWS, tiles = tall + low, rest = rows % 2;
      const f32 *const ai = a + i * ars + p * acs;
      /* Where the next block starts, in b and in c: with the rows below, or with the next part of k. */
      const int below = i + rows < m, after = p + kc < k;
      const f32 *const next_b = below ? b + p * brs : after ? b + (p + kc) * brs : 0;
      const f32 *const next_c = below ? c + (i + rows) * cs : after ? c : 0;
      for (long j = 0; j < n; j += LARGE_COLUMNS) {
        const f32 *const bj = b + p * brs + j * bcs, *const start = bias ? bias + j : zeros;
        const int last = j + LARGE_COLUMNS >= n;
        const f32 *const beside = last ? next_b : bj + LARGE_COLUMNS * bcs, *const above = last ? next_c : c + i * cs + j + LARGE_COLUMNS;
        f32 *cj = c + i * cs + j;
        if (!through) large_pack_b(bp, bj, brs, bcs, depth);
        /* The next panel of b is prefetched during the last tiles: so many rows (or pairs of columns, if it is packed by columns) in each. */
        const long late = tiles < LARGE_LATE ? tiles : LARGE_LATE;
        const long each = through ? (depth + late - 1) / late : (LARGE_COLUMNS / 2 + late - 1) / late;
        for (long t = 0, row = 0; t < tiles; t++) {
          const int whole_tile = t < tall, more = t + 1 < tiles;
          const long height = whole_tile ? LARGE_ROWS : LARGE_LOW;
          f32 *const packed = ap + row * depth;
          if (j == 0) large_pack_a(packed, ai + row * ars, ars, acs, depth, !whole_tile);
          struct part parts[6], *part = parts;
          long left = groups - 4;
          const f32 *const after_c = more ? cj + height * cs : above;
          if (after_c && left > LARGE_ROWS) { fetch_lines(part++, after_c, cs, W, LARGE_ROWS); left -= LARGE_ROWS; }
          const long line = (t - tiles + late) * each;
          if (beside && line >= 0) {
            if (through) {
              const long lines = each < depth - line ? each : depth - line;
              if (lines > 0) { fetch_lines(part++, beside + line * brs, brs, W, lines < left ? lines : left); }
            } else
              for (long pair = line; pair < line + each && pair < LARGE_COLUMNS / 2 && left > depth / W && part < parts + 5; pair++, left -= depth / W)
                fetch_lines(part++, beside + 2 * pair * bcs, W, bcs, depth / W);
          }
          fetch_lines(part, packed, 0, 0, depth);
          const f32 *from = load ? kept ? kept : cj : start;
          const long apart = load ? kept ? LARGE_COLUMNS : cs : 0;
          kept = 0;
          /* Loads from c would wait for stores of the last tile at the same distance from a multiple of 4096. */
          if (load && groups > 32 && (more || !last)) {
            kept = copies + (((unsigned long)after_c & 4095) / 4 + 2 * LARGE_COLUMNS & 1023);
            part->rows = more ? t + 1 < tall ? LARGE_ROWS : LARGE_LOW : tall ? LARGE_ROWS : LARGE_LOW;
            part->from = after_c; part->apart = cs * 4; part->copy = kept;
          }
          if (through && t == 0) large_through(depth, packed, bj, brs, cj, cs, from, apart, bp, parts);
          else (whole_tile ? large_packed : large_low)(depth, packed, bp, LARGE_COLUMNS, cj, cs, from, apart, 0, parts);
          row += height; cj += height * cs;
        }
        if (rest) {
          const struct left l = { ai + (rows - rest) * ars, ars, acs, ROWS * ars, 1 };
          panel(&l, rest, depth, bp, LARGE_COLUMNS, 2, cj, cs, load || !bias ? 0 : start, load, 0, 0);
        }
      }
    }
  }
}
#endif
`;
