import { gemmLarge } from "./gemm-large.ts";

/** A product's description, and packing space of the calling thread, which grows and is reused. */
export const gemmTypes = `
struct product { long m, n, k, ars, acs, brs, bcs, cs; };
struct space { f32 *at; long size; };
static __thread struct space space_a, space_b, space_c;
static f32 *reserve(struct space *s, long floats) {
  if (s->size < floats) {
    free(s->at);
    const long large = 2L << 20, least = floats * 4 + 256, bytes = least > large / 8 ? (least + large - 1) & -large : least;
    if (posix_memalign((void **)&s->at, bytes >= large ? large : 64, bytes)) abort();
    if (bytes >= large) large_pages((unsigned long)s->at, (unsigned long)s->at + bytes, 0);
    s->size = floats;
  }
  return s->at;
}
`;

/**
 * The code around the tiles, as C: packing, blocking for the caches, and sharing between threads.
 *
 * Nothing here may change the order in which an element's products are added: blocks of k continue from the contents of c, threads
 * share rows or columns and never k, and whether lanes run along k (`productOrder`) is decided before the processor is known.
 */
export const gemmDriver = `
/* Elements of k before c is written: measured; a panel of b should stay in a near cache. */
#if ARM
#define KC 512
#else
#define KC 384
#endif
#define ROWS (1 << TOP)
/* b[0..k, 0..n] as k rows of width adjacent elements; columns past n are zero. */
static void pack_b(f32 *to, const f32 *b, long brs, long bcs, long k, long n, long width) {
  if (bcs == 1 && n == width) {
    for (long p = 0; p < k; p++, b += brs, to += width)
      for (long j = 0; j < width; j += W) STORE(to + j, LOAD(b + j));
    return;
  }
  if (brs == 1) {
    /* Four by four elements at a time, transposed in registers. */
    long j = 0;
    for (; j + 4 <= n; j += 4) {
      const f32 *x = b + j * bcs; f32 *y = to + j; long p = 0;
      for (; p + 4 <= k; p += 4, x += 4, y += 4 * width) {
        const four r0 = *(four *)x, r1 = *(four *)(x + bcs), r2 = *(four *)(x + 2 * bcs), r3 = *(four *)(x + 3 * bcs);
        const four s0 = MIX(r0, r1, 0, 4, 1, 5), s1 = MIX(r0, r1, 2, 6, 3, 7);
        const four s2 = MIX(r2, r3, 0, 4, 1, 5), s3 = MIX(r2, r3, 2, 6, 3, 7);
        *(four *)y = MIX(s0, s2, 0, 1, 4, 5); *(four *)(y + width) = MIX(s0, s2, 2, 3, 6, 7);
        *(four *)(y + 2 * width) = MIX(s1, s3, 0, 1, 4, 5); *(four *)(y + 3 * width) = MIX(s1, s3, 2, 3, 6, 7);
      }
      for (; p < k; p++, x++, y += width) { y[0] = x[0]; y[1] = x[bcs]; y[2] = x[2 * bcs]; y[3] = x[3 * bcs]; }
    }
    for (; j < width; j++)
      for (long p = 0; p < k; p++) to[p * width + j] = j < n ? b[p + j * bcs] : 0.f;
    return;
  }
  for (long p = 0; p < k; p++, to += width) {
    long j = 0;
    for (; j < n; j++) to[j] = b[p * brs + j * bcs];
    for (; j < width; j++) to[j] = 0.f;
  }
}

/* a[0..m, 0..k] as panels of ROWS rows, k columns of ROWS adjacent elements each; the last panel may have fewer rows. */
static void pack_a(f32 *to, const f32 *a, long ars, long acs, long m, long k) {
#if !ARM
  if (ars == 1) {
    /* Column by column of a, which are contiguous. */
    const long whole = m & -ROWS;
    for (long p = 0; p < k; p++) {
      const f32 *from = a + p * acs; f32 *at = to + p * ROWS;
      for (long i = 0; i < whole; i += ROWS, at += ROWS * k) __builtin_memcpy(at, from + i, ROWS * 4);
    }
    a += whole; to += whole * k; m -= whole;
  }
#endif
  for (; m > 0; m -= ROWS, a += ROWS * ars, to += ROWS * k) {
    const long rows = m < ROWS ? m : ROWS;
    if (acs == 1 && rows == ROWS) {
      pack_b(to, a, 1, ars, k, ROWS, ROWS);
      continue;
    }
    if (ars == 1 && rows == ROWS) {
      for (long p = 0; p < k; p++) __builtin_memcpy(to + p * ROWS, a + p * acs, ROWS * 4);
      continue;
    }
    for (long p = 0; p < k; p++)
      for (long i = 0; i < rows; i++) to[p * ROWS + i] = a[i * ars + p * acs];
  }
}

struct left { const f32 *a; long ars, acs, step; int column; };

/* m rows of one panel of b: full tiles first, then smaller ones. Where \`to\` is given, the first tile packs the panel there. */
static void panel(const struct left *l, long m, long k, const f32 *b, long bs, long vectors, f32 *c, long cs, const f32 *bias, int load, f32 *to, struct ahead *next) {
  tile_fn *const (*table)[17] = l->column ? tiles_column : tiles_row;
  const f32 *a = l->a;
  long count = m >> TOP;
#if !ARM
  if (to) {
    tiles_through[vectors](1, 0, k, a, l->ars, l->acs, b, bs, c, cs, bias, load, to, next);
    a += l->step; c += ROWS * cs; m -= ROWS; count--;
    b = to; bs = vectors * W;
  }
#endif
  if (count) {
    table[TOP][vectors](count, l->step, k, a, l->ars, l->acs, b, bs, c, cs, bias, load, 0, next);
    a += count * l->step; c += count * ROWS * cs; m -= count * ROWS;
  }
  for (int height = TOP - 1; m > 0; height--) {
    const long rows = 1L << height;
    if (m < rows) continue;
    table[height][vectors](1, 0, k, a, l->ars, l->acs, b, bs, c, cs, bias, load, 0, 0);
    a += rows * l->ars; c += rows * cs; m -= rows;
  }
}

/* The last panel if n is not a multiple of the vector: it goes through a buffer, from which only real columns are copied. */
static void edge(const struct left *l, long m, long k, const f32 *b, long vectors, long n, f32 *c, long cs, const f32 *bias, int load) {
  const long width = vectors * W, chunk = vectors <= 4 ? 64 : 8;
  f32 buffer[256 * W] __attribute__((aligned(64))), wide[16 * W] __attribute__((aligned(64)));
  if (bias) for (long j = 0; j < width; j++) wide[j] = j < n ? bias[j] : 0.f;
  struct left part = *l;
  for (long i = 0; i < m; i += chunk) {
    const long rows = m - i < chunk ? m - i : chunk;
    if (load)
      for (long r = 0; r < rows; r++) for (long j = 0; j < width; j++) buffer[r * width + j] = j < n ? c[(i + r) * cs + j] : 0.f;
    part.a = l->a + i / ROWS * l->step;
    panel(&part, rows, k, b, width, vectors, buffer, width, bias ? wide : 0, load, 0, 0);
    for (long r = 0; r < rows; r++) for (long j = 0; j < n; j++) c[(i + r) * cs + j] = buffer[r * width + j];
  }
}

/* Few rows leave registers for wide tiles; many rows use the widest tile that still holds all of them. */
INLINE long widest(long m, int in_rows) { return m >= ROWS ? (in_rows ? 2 : 3) : m >= 4 ? 4 : m >= 2 ? 8 >> (3 - TOP) : 16 >> (3 - TOP); }
INLINE long next_width(long left, long most) {
  if (most == 3) return left == 4 ? 2 : left < 3 ? left : 3;
  while (most > left) most >>= 1;
  return most;
}

/* Sums start from the bias or, if held, from the contents of c. */
static void continued(const struct product *g, const f32 *a, const f32 *b, f32 *c, const f32 *bias, int held) {
  const long m = g->m, n = g->n, k = g->k, cs = g->cs;
  const long blocks = k > KC ? (k + KC - 1) / KC : 1, kc = k == 0 ? 1 : blocks == 1 ? k : ((k + blocks - 1) / blocks + 3) & ~3L;
  const long vectors = (n + W - 1) / W;
  /* Strides of 512 bytes and more use few sets of the L1 cache: then even a panel that fits does not stay. */
#if ARM
  const int packs_b = g->bcs != 1 || (m >= 64 && g->brs >= 128);
  const int packs_a = (g->ars != 1 && g->acs != 1) || (n >= 256 && k >= 512) || (g->acs != 1 && g->acs >= 128 && g->acs * k >= 16384 && n >= 32);
  const long most = widest(m, !packs_a && g->acs == 1);
#else
  /* The first tile packs while it computes: that pays off from the second one on. */
  const int packs_b = g->bcs != 1 || (m >= 2 * ROWS && g->brs >= 128);
  const long most = widest(m, 0);
  /* Broadcasts accept any stride, but distant columns waste cache lines, and rows that are a multiple of 4096 bytes apart share one cache set. */
  const int packs_a = (n >= 768 && k >= 256 && (g->ars & 1023) == 0) || (g->acs != 1 && n >= 96 && k >= 128);
#endif
  long mc = m;
  if (m * kc > 131072) { mc = 98304 / kc & -ROWS; if (mc < 64) mc = 64; }
  /* With all rows in one block a panel is packed, used and not needed again: the next one reuses its memory, which is in the cache. */
  const int once = mc >= m;
  f32 *const bp = packs_b && !once ? reserve(&space_b, kc * vectors * W) : packs_b || n % W ? reserve(&space_b, kc * 16 * W) : 0;
  f32 *const ap = packs_a ? reserve(&space_a, ((mc < m ? mc : m) + ROWS) * kc) : 0;
  for (long p = 0; p < k || p == 0; p += kc) {
    const long depth = k - p < kc ? k - p : kc;
    const f32 *const bb = b + p * g->brs;
    const f32 *const first = p ? 0 : bias;
    for (long i = 0; i < m; i += mc) {
      const long rows = m - i < mc ? m - i : mc;
      struct left l = { a + i * g->ars + p * g->acs, g->ars, g->acs, ROWS * g->ars, g->acs != 1 };
      if (packs_a) {
        pack_a(ap, l.a, g->ars, g->acs, rows, depth);
        l = (struct left){ ap, 1, ROWS, ROWS * depth, 1 };
      }
      for (long j = 0; j < vectors;) {
        const long width = next_width(vectors - j, most), at = j * W, real = n - at < width * W ? n - at : width * W;
        const f32 *const bias_j = first ? first + at : 0;
        f32 *const cj = c + i * cs + at;
        f32 *const slot = packs_b && !once ? bp + at * depth : bp;
        const int partial = real < width * W, load = held || p > 0;
#if ARM
        const int through = 0;
#else
        const int through = packs_b && i == 0 && !partial && g->bcs == 1 && rows >= ROWS && depth > 0;
#endif
        if (!through && (packs_b ? i == 0 : partial)) pack_b(slot, bb + at * g->bcs, g->brs, g->bcs, depth, real, width * W);
        if (partial) edge(&l, rows, depth, slot, width, real, cj, cs, bias_j, load);
        else if (through) {
          const long after = vectors - j - width, stretches = (rows >> TOP) * ((depth + 63) / 64);
          struct ahead next = { bb + at + width * W, g->brs, after > 0 ? depth : 0, depth / stretches + 1, after < width ? after : width };
          panel(&l, rows, depth, bb + at, g->brs, width, cj, cs, bias_j, load, slot, &next);
        } else if (packs_b) panel(&l, rows, depth, slot, width * W, width, cj, cs, bias_j, load, 0, 0);
        else panel(&l, rows, depth, bb + at, g->brs, width, cj, cs, bias_j, load, 0, 0);
        j += width;
      }
    }
  }
}

${gemmLarge}
/* Whether m rows of a product take the path of large ones. */
static int is_large(const struct product *g, long m) {
#if X512 && !ARM
  return m >= LARGE_M && (g->n & -LARGE_COLUMNS) >= LARGE_N && g->k >= LARGE_K && m * g->n * g->k > LARGE_LEAST;
#else
  return 0;
#endif
}

static void block(const struct product *g, const f32 *a, const f32 *b, f32 *c, const f32 *bias) {
#if X512 && !ARM
  if (is_large(g, g->m)) {
    const long n = g->n & -LARGE_COLUMNS;
    struct product part = *g;
    part.n = n;
    large(&part, a, b, c, bias);
    if (n == g->n) return;
    part.n = g->n - n;
    continued(&part, a, b + n * g->bcs, c + n, bias ? bias + n : 0, 0);
    return;
  }
#endif
  continued(g, a, b, c, bias, 0);
}

/* Both operands contiguous in k, or few columns that are copied so. */
static void dot_block(const struct product *g, const f32 *a, const f32 *b, f32 *c, const f32 *bias) {
  f32 *space;
  if (g->brs != 1) {
    space = reserve(&space_b, g->n * g->k);
    for (long p = 0; p < g->k; p++) for (long j = 0; j < g->n; j++) space[j * g->k + p] = b[p * g->brs + j * g->bcs];
    b = space;
  }
  const long bs = g->brs != 1 ? g->k : g->bcs;
#define DOTS(rows, columns) dots[rows][columns](g->k, a + i * g->ars, g->ars, b + j * bs, bs, c + i * g->cs + j, g->cs, bias ? bias + j : 0)
  if (g->n < 4)
    for (long i = 0, rows; i < g->m; i += rows) {
      const long left = g->m - i;
      rows = left >= 8 && g->n == 1 ? 8 : left >= 4 ? 4 : left >= 2 ? 2 : 1;
      for (long j = 0, columns; j < g->n; j += columns) { columns = g->n - j >= 2 ? 2 : 1; DOTS(rows, columns); }
    }
  else /* A few columns stay in the cache during all rows. */
    for (long j = 0, columns; j < g->n; j += columns) {
      const long right = g->n - j;
      columns = right >= 8 && g->m == 1 ? 8 : right >= 4 ? 4 : right >= 2 ? 2 : 1;
      for (long i = 0, rows; i < g->m; i += rows) { rows = g->m - i >= 4 ? 4 : g->m - i >= 2 ? 2 : 1; DOTS(rows, columns); }
    }
}

/* Few columns and a's rows contiguous: the transposed product has long rows. Its sums start from the bias too. */
static void swapped_block(const struct product *g, const f32 *a, const f32 *b, f32 *c, const f32 *bias) {
  const struct product t = { g->n, g->m, g->k, g->bcs, g->brs, g->acs, g->ars, g->m };
  f32 *const space = reserve(&space_c, g->m * g->n);
  if (bias) for (long j = 0; j < g->n; j++) for (long i = 0; i < g->m; i++) space[j * g->m + i] = bias[j];
  continued(&t, b, a, space, 0, bias != 0);
  for (long j = 0; j < g->n; j++) for (long i = 0; i < g->m; i++) c[i * g->cs + j] = space[j * g->m + i];
}

static void gemm(const long *fields, const f32 *a, const f32 *b, f32 *c, const f32 *bias, long thread, long threads) {
  struct product g = { fields[0], fields[1], fields[2], fields[3], fields[4], fields[5], fields[6], fields[7] };
  const long dims = fields[10], *const dim = fields + 11;
  long batch = 1;
  for (long d = 0; d < dims; d++) batch *= dim[4 * d];
  if (g.m == 0 || g.n == 0 || batch == 0) return;
  void (*one)(const struct product *, const f32 *, const f32 *, f32 *, const f32 *) = block;
  /* Below this, rounding into tiles takes longer than the product. */
  if (fields[8] && g.m >= 8 && g.m * g.n * g.k >= 32768 && bf16_available()) one = bf16_block;
  else if (fields[9]) one = dot_block;
  else if (g.n <= W / 2 && g.ars == 1 && g.m >= 2 * W) one = swapped_block;
  long begin = 0, end = batch;
  if (threads > 1) {
    if (batch % threads == 0 || batch >= 4 * threads) { begin = batch * thread / threads; end = batch * (thread + 1) / threads; }
    else {
      /* Threads share rows of a large product: with columns each would pack all of a (3% for 1024³ on two threads). */
      const int columns = g.n >= threads * 4 * W && g.n >= (is_large(&g, g.m / threads) ? 2 * g.m : g.m / 4);
      const long unit = columns ? 4 * W : 32, units = ((columns ? g.n : g.m) + unit - 1) / unit;
      const long from = units * thread / threads * unit;
      long to = units * (thread + 1) / threads * unit;
      if (columns) { if (to > g.n) to = g.n; b += from * g.bcs; c += from; if (bias) bias += from; g.n = to - from; }
      else { if (to > g.m) to = g.m; a += from * g.ars; c += from * g.cs; g.m = to - from; }
      if (to <= from) return;
    }
  }
  for (long i = begin; i < end; i++) {
    long rest = i, da = 0, db = 0, dc = 0;
    for (long d = dims - 1; d >= 0; d--) {
      const long extent = dim[4 * d], at = rest % extent;
      rest /= extent; da += at * dim[4 * d + 1]; db += at * dim[4 * d + 2]; dc += at * dim[4 * d + 3];
    }
    one(&g, a + da, b + db, c + dc, bias);
  }
}
`;
