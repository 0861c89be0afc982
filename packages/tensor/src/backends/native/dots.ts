import { laneCount } from "../../kernel/kernel.ts";

const dotShapes = [
  [8, 1],
  [4, 1],
  [2, 1],
  [1, 1],
  [4, 2],
  [2, 2],
  [1, 2],
  [4, 4],
  [2, 4],
  [1, 4],
  [1, 8],
] as const;

/** Elements of k per pass of a tile, so that all its rows and columns stay in the L1 cache. */
const stretch = 1024;

/**
 * Products of few rows or columns whose operands are both contiguous in k (`productOrder` gives "lanes"): lanes run along k and are
 * reduced at the end.
 */
export function dotSet(): string {
  const out = dotShapes.map(([rows, columns]) => dot(rows, columns));
  out.push(
    `static dot_fn *const dots[9][9] = { ${dotShapes.map(([m, n]) => `[${m}][${n}] = d${m}x${n}`).join(", ")} };`,
  );
  return out.join("\n");
}

/**
 * A tile of dot products. With short vectors, all lanes of all sums do not fit into the registers: then it makes one pass over k for each
 * part of the lanes. With few sums all their parts are interleaved instead, or they would wait for one another.
 */
function dot(rows: number, columns: number): string {
  const r = [...Array(rows).keys()];
  const n = [...Array(columns).keys()];
  const all = r.flatMap((i) => n.map((j) => ({ i, j, at: i * columns + j })));
  const sums = all.length;
  const together = sums <= 4;
  const parts = [...Array(together ? laneCount / 4 : 1).keys()];
  const guarded = (q: number, text: string) => (together ? `#if PARTS > ${q}\n${text}\n#endif` : text);
  const load = (q: number) =>
    `const vf ${[...r.map((i) => `x${i} = LOAD(a${i} + p + ${q} * W)`), ...n.map((j) => `y${j} = LOAD(b${j} + p + ${q} * W)`)].join(", ")};`;
  const fused = (q: number) => all.map(({ i, j, at }) => `FMA(c${at}_${q}, x${i}, y${j});`).join(" ");
  const steps = parts.map((q) => guarded(q, `{ ${load(q)} ${fused(q)} }`)).join("\n");
  const each = (f: (at: number, q: string) => string) =>
    parts.map((q) => guarded(q, all.map(({ at }) => f(at, together ? `${q}` : "q")).join(" "))).join("\n");
  const name = (at: number, q: string) => `c${at}_${together ? q : 0}`;
  return `static void d${rows}x${columns}(long k, const f32 *a, long as, const f32 *b, long bs, f32 *c, long cs, const f32 *bias) {
const f32 ${r.map((i) => `*a${i} = a + ${i} * as`).join(", ")}, ${n.map((j) => `*b${j} = b + ${j} * bs`).join(", ")};
const long whole = k & -W;
vf s[PARTS][${sums}];
long from = 0;
do {
const long to = whole - from > ${stretch} ? from + ${stretch} : whole;
${together ? "{" : "for (long q = 0; q < PARTS; q++) {"}
vf ${parts.flatMap((q) => all.map(({ at }) => `c${at}_${q} = { 0 }`)).join(", ")};
if (from) {
${each((at, q) => `${name(at, q)} = s[${q}][${at}];`)}
}
long p = from${together ? "" : " + q * W"};
for (; p + ${together ? laneCount : "W"} <= to; p += ${laneCount}) {
${steps}
}
${
  together
    ? parts
        .slice(0, -1)
        .map((q) => `#if PARTS > ${q + 1}\nif (p + ${q + 1} * W <= to) { ${load(q)} ${fused(q)} }\n#endif`)
        .join("\n")
    : ""
}
${each((at, q) => `s[${q}][${at}] = ${name(at, q)};`)}
}
from = to;
} while (from < whole);
for (long p = whole; p < k; p++) { f32 *const l = (f32 *)s[p / W % PARTS] + p % W;
${all.map(({ i, j, at }) => `l[${at} * W] = __builtin_fmaf(a${i}[p], b${j}[p], l[${at} * W]);`).join(" ")} }
${results(rows, columns)}
}`;
}

/** Reduces the lanes of all sums, four at a time if a row has them, and stores the results. */
function results(rows: number, columns: number): string {
  const joined = (at: number) =>
    `FOUR(PARTS == 1 ? s[0][${at}] : PARTS == 2 ? s[0][${at}] + s[PARTS - 1][${at}] : (s[0][${at}] + s[PARTS / 2][${at}]) + (s[PARTS > 1][${at}] + s[PARTS - 1][${at}]))`;
  const out: string[] = [];
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j += columns >= 4 ? 4 : 1) {
      const at = i * columns + j;
      const [target, more] = [`c[${i} * cs + ${j}]`, `bias[${j}]`];
      out.push(
        columns >= 4
          ? `{ four t = SUMS(${[0, 1, 2, 3].map((l) => joined(at + l)).join(", ")}); if (bias) t += *(four *)&${more}; *(four *)&${target} = t; }`
          : `{ f32 t = SUM(${joined(at)}); if (bias) t += ${more}; ${target} = t; }`,
      );
    }
  return out.join("\n");
}
