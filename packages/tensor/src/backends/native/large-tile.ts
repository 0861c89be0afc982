/**
 * Rows and vectors of the tile of large products on AVX-512: 28 accumulators, two vectors of b and one of a. Tiles of
 * `low` rows, which are nearly as fast, cover the rest of any even number of rows.
 */
export const largeTile = { rows: 14, low: 12, vectors: 2 } as const;

/** Steps of k between two bursts of prefetches. */
export const largeStep = 16;

/** Rows of b that `through` prefetches ahead: they come from the L2 cache or, after a conflict there, from further away. */
const ahead = 8;

/** Definitions that the tile shares with the code around it (`gemmLarge`). */
export const largeTypes = `
/* What a tile prefetches, \`count\` pairs of lines per burst: \`at\` and \`second\` elements after it, then \`stride\` elements further. */
struct burst { const f32 *at; long stride, count, advance, second; };
struct bursts { struct burst a, b, c; };
typedef void large_fn(long, const f32 *, const f32 *, long, f32 *, long, const f32 *, int, f32 *, const struct bursts *);
large_fn large_packed, large_low, large_through;
`;

/**
 * The tile in C: a is packed, so one pointer with literal offsets reads it; five pointers and scaled offsets, as in the other
 * tiles, take 4% more time. `through` also packs b, whose rows may have any distance.
 */
export function largeTiles(): string {
  const { rows, low } = largeTile;
  return `${largeTypes}${tile("large_packed", rows, false)}${tile("large_low", low, false)}${tile("large_through", rows, true)}`;
}

function tile(name: string, rows: number, through: boolean): string {
  const r = [...Array(rows).keys()];
  const v = [...Array(largeTile.vectors).keys()];
  const each = (f: (i: number, j: number) => string) => r.flatMap((i) => v.map((j) => f(i, j))).join(" ");
  const width = `${largeTile.vectors} * W`;
  const [aStep, bStep] = [rows, through ? "bs" : width];
  /** One step of k, `u` steps after the pointers. */
  const step = (u: number) => {
    const b = v.map((j) => `b${j} = LOAD(b + ${u} * ${bStep} + ${j} * W)`).join(", ");
    const pack = v.map(
      (j) =>
        `STORE(to + ${u} * ${width} + ${j} * W, b${j}); __builtin_prefetch(b + ${u + ahead} * ${bStep} + ${j} * W, 0, 3);`,
    );
    const row = (i: number) =>
      `{ const vf x = SPREAD(a[${u * aStep + i}]); ${v.map((j) => `FMA(c${i}_${j}, b${j}, x);`).join(" ")} }`;
    // A packed a comes from the L2 cache.
    return `{ const vf ${b}; ${through ? pack.join(" ") : ""} __builtin_prefetch(a + ${(u + 32) * aStep}, 0, 3);
${r.map(row).join("\n")} }`;
  };
  const forward = (u: number) =>
    `a += ${u * aStep}; b += ${u} * ${bStep}; ${through ? `to += ${u} * ${width};` : ""}`;
  const burst = (x: string) => `if (n.${x}.count) { for (long q = 0; q < n.${x}.count; q++) {
__builtin_prefetch(n.${x}.at + q * n.${x}.stride, 0, 2); __builtin_prefetch(n.${x}.at + q * n.${x}.stride + n.${x}.second, 0, 2); }
n.${x}.at += n.${x}.advance; }`;
  return `
void ${name}(long k, const f32 *a, const f32 *b, long bs, f32 *c, long cs, const f32 *bias, int load, f32 *to, const struct bursts *next) {
struct bursts n = *next;
vf ${r.flatMap((i) => v.map((j) => `c${i}_${j}`)).join(", ")};
if (load) { ${each((i, j) => `c${i}_${j} = LOAD(c + ${i} * cs + ${j} * W);`)} }
else if (bias) { ${each((i, j) => `c${i}_${j} = LOAD(bias + ${j} * W);`)} }
else { ${each((i, j) => `c${i}_${j} = (vf){ 0 };`)} }
for (long left = k; left > 0;) {
long p = left < ${largeStep} ? left : ${largeStep}; left -= p;
${["a", "b", "c"].map(burst).join("\n")}
for (; p >= 4; p -= 4) { ${[0, 1, 2, 3].map(step).join("\n")} ${forward(4)} }
for (; p > 0; p--) { ${step(0)} ${forward(1)} }
}
${each((i, j) => `STORE(c + ${i} * cs + ${j} * W, c${i}_${j});`)}
}
`;
}
