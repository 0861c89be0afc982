/**
 * The inner kernels of the matrix product, unrolled here because compilers keep a tile's accumulators in registers
 * only if every index is a literal.
 *
 * A tile is `rows` × `vectors` accumulators. For every k each gets `b[k, vector] · a[row, k]`, k rising, one FMA after another:
 * so an element's value depends neither on its tile nor on how k is split into blocks. On ARM the factor from `a`
 * is a lane of a register (a broadcasting load would displace an FMA), so there is one version for rows that are
 * contiguous in k ("row") and one for columns contiguous in m ("column"). x86 broadcasts from memory and accepts any strides; its tallest
 * tiles also exist in a form that packs b while reading it ("through"), for the first tile of a panel, so that packing takes no extra time.
 */
type Access = "row" | "column" | "any" | "through";

export interface TileSet {
  /** Tile heights, each with its available widths (in vectors). */
  readonly heights: readonly { readonly rows: number; readonly vectors: readonly number[] }[];
  readonly arm: boolean;
}

/** 24 accumulators, 3 vectors of b and 2 of a: 29 of 32 registers. */
export const wideTiles = (arm: boolean): TileSet => ({
  arm,
  heights: [
    { rows: 8, vectors: [3, 2, 1] },
    { rows: 4, vectors: [4, 3, 2, 1] },
    { rows: 2, vectors: [8, 4, 3, 2, 1] },
    { rows: 1, vectors: [16, 8, 4, 3, 2, 1] },
  ],
});

/** 12 accumulators, 3 vectors of b and a broadcast: the 16 registers of AVX2 and SSE. */
export const narrowTiles: TileSet = {
  arm: false,
  heights: [
    { rows: 4, vectors: [3, 2, 1] },
    { rows: 2, vectors: [4, 3, 2, 1] },
    { rows: 1, vectors: [8, 4, 3, 2, 1] },
  ],
};

/** The functions of a set and the tables that find them: `tiles_row[log2 rows][vectors]`, `tiles_column[…]`. */
export function tileSet(set: TileSet): string {
  const out: string[] = [];
  const tallest = set.heights[0].rows;
  const table = (access: Access) => {
    const entries = set.heights.flatMap(({ rows, vectors }) =>
      vectors.map(
        (v) => `[${Math.log2(rows)}][${v}] = ${tileName(rows, v, set.arm ? accessFor(rows, access) : "any")}`,
      ),
    );
    return `static tile_fn *const tiles_${access}[4][17] = { ${entries.join(", ")} };`;
  };
  for (const { rows, vectors } of set.heights) {
    for (const v of vectors) {
      for (const access of set.arm
        ? new Set([accessFor(rows, "row"), accessFor(rows, "column")])
        : (["any"] as const)) {
        out.push(
          rows === tallest ? `tile_fn ${tileName(rows, v, access)};` : `static ${tile(rows, v, access)}`,
        );
      }
    }
  }
  if (!set.arm) {
    const { rows, vectors } = set.heights[0];
    out.push(`tile_fn ${vectors.map((v) => tileName(rows, v, "through")).join(", ")};`);
    out.push(
      `static tile_fn *const tiles_through[4] = { ${vectors.map((v) => `[${v}] = ${tileName(rows, v, "through")}`).join(", ")} };`,
    );
  }
  out.push(table("row"), table("column"), `#define TOP ${Math.log2(set.heights[0].rows)}`);
  return out.join("\n");
}

/** The largest tiles, which take longest to compile: a separate text, so that two compilers share the work. */
export function tallTiles(set: TileSet): string {
  const [{ rows, vectors }] = set.heights;
  const accesses: readonly Access[] = set.arm ? ["row", "column"] : ["any", "through"];
  return accesses.flatMap((access) => vectors.map((v) => tile(rows, v, access, !set.arm))).join("\n");
}

/** Rows that do not fill a vector are read one by one. */
function accessFor(rows: number, access: Access): Access {
  return access === "column" && rows < 4 ? "any" : access;
}

function tileName(rows: number, vectors: number, access: Access): string {
  return `t${rows}x${vectors}_${access}`;
}

/** Steps of k between two prefetches of a tall tile. */
const stretch = 64;

function tile(rows: number, vectors: number, access: Access, fetches = false): string {
  const r = [...Array(rows).keys()];
  const v = [...Array(vectors).keys()];
  const each = (f: (i: number, j: number) => string) => r.flatMap((i) => v.map((j) => f(i, j))).join(" ");
  const out: string[] = [];
  out.push(
    `void ${tileName(rows, vectors, access)}(long tiles, long step, long k, const f32 *a, long ars, long acs,`,
  );
  out.push(
    "  const f32 *b, long bs, f32 *c, long cs, const f32 *bias, int load, f32 *to, struct ahead *next) {",
  );
  out.push(`for (; tiles > 0; tiles--, a += step, c += ${rows} * cs) {`);
  out.push(`vf ${r.flatMap((i) => v.map((j) => `c${i}_${j}`)).join(", ")};`);
  out.push(`if (load) { ${each((i, j) => `c${i}_${j} = LOAD(c + ${i} * cs + ${j} * W);`)} }`);
  out.push(`else if (bias) { ${each((i, j) => `c${i}_${j} = LOAD(bias + ${j} * W);`)} }`);
  out.push(`else { ${each((i, j) => `c${i}_${j} = (vf){ 0 };`)} }`);
  out.push("const f32 *bp = b; long p = k;");
  const loadB = v.map((j) => `b${j} = LOAD(bp + ${j} * W)`).join(", ");
  // Every third row has a separate pointer: x86 addresses the next two by scaled offsets.
  const pointers = access === "column" ? [0] : access === "row" ? r : r.filter((i) => i % 3 === 0);
  out.push(`const f32 ${pointers.map((i) => `*a${i} = a + ${i} * ars`).join(", ")};`);
  if (access === "row") {
    out.push("for (; p >= 4; p -= 4) {");
    out.push(`const vf ${r.map((i) => `x${i} = LOAD(a${i})`).join(", ")};`);
    for (let lane = 0; lane < 4; lane++) {
      out.push(
        `{ const vf ${loadB}; bp += bs; ${each((i, j) => `FMA_LANE(c${i}_${j}, b${j}, x${i}, ${lane});`)} }`,
      );
    }
    out.push(`${r.map((i) => `a${i} += 4;`).join(" ")} }`);
    out.push(`for (; p > 0; p--) { const vf ${loadB}; bp += bs;`);
    out.push(
      r
        .map(
          (i) =>
            `{ const vf x = SPREAD(*a${i}); a${i} += 1; ${v.map((j) => `FMA(c${i}_${j}, b${j}, x);`).join(" ")} }`,
        )
        .join("\n"),
    );
    out.push("}");
  } else if (access === "column") {
    const quads = [...Array(rows / 4).keys()];
    out.push("#pragma GCC unroll 4", "for (; p > 0; p--) {");
    out.push(
      `const vf ${quads.map((q) => `x${q} = LOAD(a0 + ${4 * q})`).join(", ")}, ${loadB}; a0 += acs; bp += bs;`,
    );
    // Vector by vector of b, so that each is free for its next load early: 36.9 instead of 35.2 GFLOP/s on a Neoverse N1.
    for (const j of v) out.push(r.map((i) => `FMA_LANE(c${i}_${j}, b${j}, x${i >> 2}, ${i & 3});`).join(" "));
    out.push("}");
  } else {
    if (fetches) {
      out.push(`for (long left = k; left > 0;) { p = left < ${stretch} ? left : ${stretch}; left -= p;`);
      out.push("if (next) fetch(next);", "#pragma GCC unroll 4");
    }
    out.push("for (; p > 0; p--) {", `const vf ${loadB}; bp += bs;`);
    if (access === "through")
      out.push(v.map((j) => `STORE(to + ${j} * W, b${j});`).join(" "), `to += ${vectors} * W;`);
    for (const i of r) {
      const at = i % 3 === 0 ? "0" : i % 3 === 1 ? "ars" : "2 * ars";
      const x = `SPREAD(a${i - (i % 3)}[${at}])`;
      out.push(`{ const vf x = ${x}; ${v.map((j) => `FMA(c${i}_${j}, b${j}, x);`).join(" ")} }`);
    }
    out.push(`${pointers.map((i) => `a${i} += acs;`).join(" ")} }`);
    if (fetches) out.push("}");
  }
  out.push(
    each((i, j) => `STORE(c + ${i} * cs + ${j} * W, c${i}_${j});`),
    "} }",
  );
  return out.join("\n");
}
