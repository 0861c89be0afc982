/**
 * Rows and vectors of the tile of large products on AVX-512: 28 accumulators, two vectors of b and two of a. Tiles of
 * `low` rows, which are nearly as fast, cover the rest of any even number of rows.
 */
export const largeTile = { rows: 14, low: 12, vectors: 2 } as const;

/** Rows of b that are prefetched ahead: a panel comes from the L2 cache. */
const ahead = 8;

/** Definitions that the tile shares with the code around it (`gemmLarge`). */
export const largeTypes = `
/*
 * What a tile does besides its sums, part by part: in each of \`count\` groups of four steps of k it prefetches lines, one pair at \`at\`
 * and \`second\` bytes after it, then \`stride\` bytes further. Before that it copies \`rows\` rows of b at \`from\`, which are \`apart\`
 * bytes apart, to \`copy\`. The last part lasts until the end.
 */
struct part { const f32 *at; long stride, second, count, rows; const f32 *from; long apart; f32 *copy; };
typedef void large_fn(long, const f32 *, const f32 *, f32 *, long, const f32 *, long, const struct part *);
large_fn large_tall, large_low;
`;
const fields = ["at", "stride", "second", "count", "rows", "from", "apart", "copy"];
/** A field of a part in memory. */
const field = (name: string) => `${8 * fields.indexOf(name)}(%[parts])`;

/**
 * The tiles in C: sums start from the rows at `start`, which are `ss` elements apart: parts of c, or one row for all.
 * They are assembly as a whole: with gcc's choice of registers, offsets and order 14 × 2 tiles reach 84% of a Cascade Lake
 * core's multiply-adds, and as written here 97%.
 */
export function largeTiles(): string {
  const { rows, low } = largeTile;
  return `${largeTypes}${tile("large_tall", rows)}${tile("large_low", low)}`;
}

const { vectors } = largeTile;
const v = [...Array(vectors).keys()];
const width = 64 * vectors;
const sum = (i: number, j: number) => `%%zmm${i * vectors + j}`;
const ofB = (j: number) => `%%zmm${28 + j}`;
const ofA = (i: number) => `%%zmm${30 + (i % 2)}`;

function tile(name: string, rows: number): string {
  const r = [...Array(rows).keys()];
  /** One step of k, `u` steps after the pointers, with other instructions between the rows. */
  const step = (u: number, others: readonly string[] = []) => {
    const between = [
      `prefetcht0 ${(u + 32) * rows * 4}(%[a])`,
      ...v.map((j) => `prefetcht0 ${(u + ahead) * width + 64 * j}(%[b])`),
      ...others,
    ];
    return [
      ...v.map((j) => `vmovups ${u * width + 64 * j}(%[b]), ${ofB(j)}`),
      ...r.flatMap((i) => [
        `vbroadcastss ${(u * rows + i) * 4}(%[a]), ${ofA(i)}`,
        ...(i % 2 === 1 ? between.slice(i >> 1, (i >> 1) + 1) : []),
        ...v.map((j) => `vfmadd231ps ${ofA(i)}, ${ofB(j)}, ${sum(i, j)}`),
      ]),
    ];
  };
  const forward = (u: number) => [`add $${u * rows * 4}, %[a]`, `add $${u * width}, %[b]`];
  const group = [["prefetcht1 (%[q])"], ["prefetcht1 (%[q],%[s])"], ["add %[r], %[q]"], []].flatMap(
    (others, u) => step(u, others),
  );
  const lines = [
    ...r.flatMap((i) => [...v.map((j) => `vmovups ${64 * j}(%[q]), ${sum(i, j)}`), "add %[r], %[q]"]),
    `sub $${8 * fields.length}, %[parts]`,
    "sub $4, %[k]",
    "jl 6f",
    "1:",
    `add $${8 * fields.length}, %[parts]`,
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
  const used = [
    ...['[k] "+r"(k)', '[a] "+r"(a)', '[b] "+r"(b)', '[c] "+r"(c)', '[q] "+r"(start)', '[r] "+r"(ss)'],
    ...['[p] "=&r"(p)', '[s] "=&r"(s)', '[parts] "+r"(parts)'],
  ];
  const registers = [...Array(32).keys()].map((i) => `"xmm${i}"`);
  return `
void ${name}(long k, const f32 *a, const f32 *b, f32 *c, long cs, const f32 *start, long ss, const struct part *parts) {
long p, s; ss *= 4; cs *= 4;
__asm__ volatile(
${lines.map((l) => `"${l}\\n"`).join("\n")}
: ${used.join(", ")}
: [cs] "m"(cs)
: "memory", "cc", ${registers.join(", ")});
}
`;
}
