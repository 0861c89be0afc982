import { largePack } from "./large-pack.ts";
import { largeTile, largeTypes } from "./large-tile.ts";

/**
 * Large products on AVX-512, as C: blocks of a and panels of b for tiles of 14 × 2 vectors (28 accumulators).
 *
 * Everything that a tile is about to use is prefetched into the L2 cache while the previous one is computed: its part of c, whose
 * rows are distant lines, and the rows of a that are packed next. Meanwhile the next panel of b is prefetched and packed. With
 * panels of 32 columns, 14 × 2 tiles reach 98% of an Emerald Rapids core's multiply-adds, and 8 × 3 tiles 94%.
 */
export const gemmLarge = `
#if X512 && !ARM
#define LARGE_ROWS ${largeTile.rows}
#define LARGE_LOW ${largeTile.low}
#define LARGE_COLUMNS (${largeTile.vectors} * W)
/* Smaller products take longer to pack than they gain: measured. Rows of 7 low tiles are the fewest that cover any even number. */
#define LARGE_M 112
#define LARGE_N 128
#define LARGE_K 128
#define LARGE_LEAST (1L << 23)
/* Groups of four steps of k that leave time for copies. */
#define LARGE_GROUPS 32
/* Elements of k per block. */
#define LARGE_KC 384
/*
 * Elements of the packed block of a: three quarters of an L2 cache, which also holds two panels of b, but at most 1 MiB (measured on
 * Cascade Lake with 1 MiB and on Emerald Rapids with 2 MiB; from half to all of it differs by 2%).
 */
static long large_space(void) {
  static long elements = 0;
  long known = __atomic_load_n(&elements, __ATOMIC_RELAXED);
  if (known) return known;
#if defined(_SC_LEVEL2_CACHE_SIZE)
  known = sysconf(_SC_LEVEL2_CACHE_SIZE) / 4 * 3 / 4;
#endif
  if (known <= 1L << 16) known = 3L << 16;
  if (known > 1L << 18) known = 1L << 18;
  __atomic_store_n(&elements, known, __ATOMIC_RELAXED);
  return known;
}
${largeTypes}${largePack}/* A part that prefetches rows of one or two lines and copies nothing. */
INLINE void fetch_lines(struct part *p, const f32 *at, long stride, long second, long count) {
  p->at = at; p->stride = stride * 4; p->second = second * 4; p->count = count; p->rows = 0;
}

INLINE void copy_lines(struct part *p, const f32 *from, long stride, f32 *to, long rows) {
  p->from = from; p->apart = stride * 4; p->copy = to; p->rows = rows;
}

static const f32 zeros[LARGE_COLUMNS];
/* Columns that fill whole panels. */
static void large(const struct product *g, const f32 *a, const f32 *b, f32 *c, const f32 *bias) {
  const long m = g->m, n = g->n, k = g->k, ars = g->ars, acs = g->acs, brs = g->brs, bcs = g->bcs, cs = g->cs;
  const long blocks = k <= 3 * LARGE_KC / 2 ? 1 : (k + LARGE_KC - 1) / LARGE_KC, kc = ((k + blocks - 1) / blocks + W - 1) & -W;
  const long whole = m / LARGE_ROWS, most = large_space() / kc / LARGE_ROWS, parts = (whole + most - 1) / most;
  f32 *const ap = reserve(&space_a, ((whole + parts - 1) / parts + 1) * LARGE_ROWS * kc + W), *const panels = reserve(&space_b, 2 * kc * LARGE_COLUMNS);
  int odd = 0, filled = 0;
  for (long p = 0; p < k; p += kc) {
    const long depth = k - p < kc ? k - p : kc, groups = depth / 4;
    const int load = p > 0;
    for (long i = 0, rows, block = 0; block < parts; i += rows, block++) {
      rows = block + 1 < parts ? whole * (block + 1) / parts * LARGE_ROWS - i : m - i;
      /* Low tiles, until at most one row is left. */
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
        f32 *const bp = panels + odd * kc * LARGE_COLUMNS, *const next_panel = panels + !odd * kc * LARGE_COLUMNS;
        if (!filled) large_pack_b(bp, bj, brs, bcs, depth);
        filled = 0;
        /* Every tile prefetches \`each\` rows of the next panel of b and copies those of the tile before. Pairs of columns are only prefetched. */
        const int copied = beside && !last && bcs == 1 && groups >= LARGE_GROUPS;
        const long each = bcs == 1 ? (depth + tiles - 2) / (tiles - 1) : (LARGE_COLUMNS / 2 + tiles - 1) / tiles;
        for (long t = 0, row = 0; t < tiles; t++) {
          const int whole_tile = t < tall, more = t + 1 < tiles;
          const long height = whole_tile ? LARGE_ROWS : LARGE_LOW;
          f32 *const packed = ap + row * depth;
          if (j == 0) large_pack_a(packed, ai + row * ars, ars, acs, depth, !whole_tile);
          struct part others[16], *part = others;
          long left = groups - 2;
          const f32 *const after_c = more ? cj + height * cs : above;
          if (after_c && left > LARGE_ROWS) { fetch_lines(part++, after_c, cs, W, LARGE_ROWS); left -= LARGE_ROWS; }
          if (beside && bcs == 1) {
            const long from = t * each, lines = each < depth - from ? each : depth - from;
            if (lines > 0 && left > lines) { fetch_lines(part++, beside + from * brs, brs, W, lines); left -= lines; }
          } else if (beside)
            for (long pair = t * each; pair < (t + 1) * each && pair < LARGE_COLUMNS / 2 && left > depth / W && part < others + 8; pair++, left -= depth / W)
              fetch_lines(part++, beside + 2 * pair * bcs, W, bcs, depth / W);
          /* Rows of a that are packed next. */
          if (j == 0 && more && acs == 1)
            for (long at = 0; at < depth && left > LARGE_ROWS && part < others + 14; at += 2 * W, left -= LARGE_ROWS)
              fetch_lines(part++, ai + (row + height) * ars + at, ars, W, LARGE_ROWS);
          fetch_lines(part, packed, 0, 0, depth);
          if (copied && t > 0) {
            const long done = (t - 1) * each, lines = !more || each > depth - done ? depth - done : each;
            if (lines > 0) copy_lines(part, beside + done * brs, brs, next_panel + done * LARGE_COLUMNS, lines);
          }
          (whole_tile ? large_tall : large_low)(depth, packed, bp, cj, cs, load ? cj : start, load ? cs : 0, others);
          row += height; cj += height * cs;
        }
        if (copied) { filled = 1; odd = !odd; }
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
