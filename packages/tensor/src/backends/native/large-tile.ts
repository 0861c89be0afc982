/**
 * Rows and vectors of the tile of large products on AVX-512: 28 accumulators, two vectors of b and two of a. Tiles of
 * `low` rows, which are nearly as fast, cover the rest of any even number of rows.
 */
export const largeTile = { rows: 14, low: 12, vectors: 2 } as const;

/** Rows of b that are prefetched ahead: a panel comes from the L2 cache, and rows that are not packed from further away. */
const ahead = 8;

/** Definitions that the tile shares with the code around it (`gemmLarge`). */
export const largeTypes = `
/*
 * What a tile does besides its sums, part by part: in each of \`count\` groups of four steps of k it prefetches one pair of lines, \`at\`
 * and \`second\` bytes after it, then \`stride\` bytes further. Before that it copies \`rows\` rows at \`from\`, which are
 * \`apart\` bytes apart, to \`copy\`. The last part lasts until the end.
 */
struct part { const f32 *at; long stride, second, count, rows; const f32 *from; long apart; f32 *copy; };
typedef void large_fn(long, const f32 *, const f32 *, long, f32 *, long, const f32 *, long, f32 *, const struct part *);
large_fn large_packed, large_low, large_through;
`;
const fields = ["at", "stride", "second", "count", "rows", "from", "apart", "copy"];
/** A field of a part in memory. */
const field = (name: string) => `${8 * fields.indexOf(name)}(%[parts])`;

/**
 * The tiles in C: sums start from the rows at `start`, which are `ss` elements apart: parts of c, or one row for all.
 * `through` also packs b, whose rows may have any distance. They are assembly as a whole: with gcc's choice of registers, offsets
 * and order 14 × 2 tiles reach 84% of a Cascade Lake core's multiply-adds, and as written here 97%.
 */
export function largeTiles(): string {
  const { rows, low } = largeTile;
  return `${largeTypes}${tile("large_packed", rows, false)}${tile("large_low", low, false)}${tile("large_through", rows, true)}`;
}

const sum = (i: number, j: number) => `%%zmm${i * largeTile.vectors + j}`;
const ofB = (j: number) => `%%zmm${28 + j}`;
const ofA = (i: number) => `%%zmm${30 + (i % 2)}`;

function tile(name: string, rows: number, through: boolean): string {
  const r = [...Array(rows).keys()];
  const v = [...Array(largeTile.vectors).keys()];
  const width = 64 * largeTile.vectors;
  /** One step of k, `u` steps after the pointers. */
  const step = (u: number) => {
    const at = through ? 0 : u * width;
    const later = (j: number) =>
      through ? `${64 * j}(%[b],%[bs],${ahead})` : `${at + ahead * width + 64 * j}(%[b])`;
    const others = [
      // A packed a comes from the L2 cache.
      `prefetcht0 ${(u + 32) * rows * 4}(%[a])`,
      ...v.map((j) => `prefetcht0 ${later(j)}`),
      ...(through ? v.map((j) => `vmovups ${ofB(j)}, ${u * width + 64 * j}(%[to])`) : []),
    ];
    return [
      ...v.map((j) => `vmovups ${at + 64 * j}(%[b]), ${ofB(j)}`),
      ...r.flatMap((i) => [
        `vbroadcastss ${(u * rows + i) * 4}(%[a]), ${ofA(i)}`,
        // Between multiply-adds, so that no two of them follow each other closely.
        ...(i % 2 === 1 && others[i >> 1] ? [others[i >> 1]] : []),
        ...v.map((j) => `vfmadd231ps ${ofA(i)}, ${ofB(j)}, ${sum(i, j)}`),
      ]),
      ...(through ? ["add %[bs], %[b]"] : []),
    ];
  };
  const forward = (u: number) => [
    `add $${u * rows * 4}, %[a]`,
    ...(through ? [`add $${u * width}, %[to]`] : [`add $${u * width}, %[b]`]),
  ];
  const group = [0, 1, 2, 3].flatMap((u) => {
    const lines = step(u);
    const fetch =
      u === 1 ? ["prefetcht1 (%[q])"] : u === 2 ? ["prefetcht1 (%[q],%[s])", "add %[r], %[q]"] : [];
    return [...lines.slice(0, -6), ...fetch, ...lines.slice(-6)];
  });
  const lines = [
    ...r.flatMap((i) => [...v.map((j) => `vmovups ${64 * j}(%[q]), ${sum(i, j)}`), "add %[r], %[q]"]),
    "sub $4, %[k]",
    "jl 6f",
    "1:",
    // Rows to copy.
    `mov ${field("rows")}, %[p]`,
    "test %[p], %[p]",
    "jz 3f",
    `mov ${field("from")}, %[q]`,
    `mov ${field("copy")}, %[s]`,
    `mov ${field("apart")}, %[r]`,
    "2:",
    ...v.flatMap((j) => [`vmovups ${64 * j}(%[q]), ${ofA(j)}`, `vmovups ${ofA(j)}, ${64 * j}(%[s])`]),
    "add %[r], %[q]",
    `add $${width}, %[s]`,
    "dec %[p]",
    "jnz 2b",
    "3:",
    `mov ${field("at")}, %[q]`,
    `mov ${field("stride")}, %[r]`,
    `mov ${field("second")}, %[s]`,
    `mov ${field("count")}, %[p]`,
    `add $${8 * fields.length}, %[parts]`,
    ".p2align 5",
    "4:",
    ...group,
    ...forward(4),
    "sub $4, %[k]",
    "jl 6f",
    "dec %[p]",
    "jnz 4b",
    "jmp 1b",
    "6:",
    "add $4, %[k]",
    "jz 8f",
    "7:",
    ...step(0),
    ...forward(1),
    "dec %[k]",
    "jnz 7b",
    "8:",
    ...r.flatMap((i) => [...v.map((j) => `vmovups ${sum(i, j)}, ${64 * j}(%[c])`), "add %[cs], %[c]"]),
    "vzeroupper",
  ];
  const registers = [...Array(32).keys()].map((i) => `"xmm${i}"`);
  return `
void ${name}(long k, const f32 *a, const f32 *b, long bs, f32 *c, long cs, const f32 *start, long ss, f32 *to, const struct part *parts) {
long p, s; ss *= 4;
__asm__ volatile(
${lines.map((l) => `"${l}\\n"`).join("\n")}
: [k] "+r"(k), [a] "+r"(a), [b] "+r"(b), [c] "+r"(c), [q] "+r"(start), [r] "+r"(ss), [p] "=&r"(p), [s] "=&r"(s), [parts] "+r"(parts)${through ? ', [to] "+r"(to)' : ""}
: [cs] "r"(cs * 4)${through ? ', [bs] "r"(bs * 4)' : ""}
: "memory", "cc", ${registers.join(", ")});
}
`;
}
