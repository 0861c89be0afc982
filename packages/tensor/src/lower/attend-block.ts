import type { Builder } from "../kernel/builder.ts";
import { type Index, laneCount, type Operand, type Value } from "../kernel/kernel.ts";
import { elementwise } from "../math/elementwise.ts";
import type { Emitter } from "./loops.ts";
import { accumulate } from "./sums.ts";

/** Width of queries up to which their scores are unrolled. */
const widest = 128;

/** Whether the queries of a causal block fill whole vectors, so that each vector holds one key's scores for several queries. */
export const fillsVectors = (queries: number, width: number): boolean =>
  queries % laneCount === 0 && width <= widest;

/** The operands of {@link blockWeights}. */
export interface WeightedBlock {
  readonly queries: number;
  readonly width: number;
  readonly scale: number;
  /** Number of keys that the last query sees. */
  readonly seen: Operand;
  /** Number of keys that a query sees. */
  readonly seenBy: (query: Value) => Operand;
  readonly query: (query: Value, d: Value) => Operand;
  readonly key: (key: Value, d: number) => Operand;
  /** Scratch for one number per key and query; queries are contiguous. */
  readonly weights: number;
}

/**
 * Attention weights of a block of queries, with lanes along the queries: no sum runs across a vector. Sums have the bits of lanes along
 * the width and along the keys: lane l adds the elements l, l + 16 …, and the lanes are added by halves. The weights are not yet divided
 * by their totals; returns the scratch of the totals, one per query.
 */
export function blockWeights(e: Emitter, block: WeightedBlock): number {
  const { queries, width, scale, seen, seenBy, query, key, weights } = block;
  const b = e.builder;
  const f32 = (x: number) => b.constant("f32", x);
  const [turned, totals, lanes] = [width, 1, laneCount].map((n) => e.scratch("f32", n * queries));
  const at = (row: Value, i: Value): Index => ({
    constant: 0,
    terms: [
      { variable: row, coefficient: queries },
      { variable: i, coefficient: 1 },
    ],
  });
  const fixed = (row: number, i: Value): Index => ({
    constant: row * queries,
    terms: [{ variable: i, coefficient: 1 }],
  });

  b.loop(queries, false, (i) => b.loop(width, false, (d) => b.store(turned, at(d, i), query(i, d))));
  const vectors = b.op("i32", "div", seen, b.constant("i32", laneCount));
  const filled = b.op("i32", "mul", vectors, b.constant("i32", laneCount));
  // Keys are the inner loop: what belongs to the queries stays in registers.
  b.loop(queries, true, (i) => {
    const queriesOf = Array.from({ length: width }, (_, d) => b.freshLoad(turned, fixed(d, i)));
    const visible = seenBy(i);
    const limit = b.variable(f32(Number.NEGATIVE_INFINITY));
    b.loop(seen, false, (p) => {
      const sums: Operand[] = [];
      queriesOf.forEach((q, d) => {
        const lane = d % laneCount;
        const x = key(p, d);
        sums[lane] = d < laneCount ? b.fresh("f32", "mul", q, x) : b.fresh("f32", "fma", q, x, sums[lane]);
      });
      const score = b.fresh("f32", "mul", byHalves(b, sums), f32(scale));
      // Hidden keys get weight 0.
      const sees = b.fresh("i32", "lt", p, visible);
      const s = b.fresh("f32", "select", sees, score, f32(Number.NEGATIVE_INFINITY));
      b.assign(limit, accumulate(e, "max", limit, [s]));
      b.store(weights, at(p, i), s);
    });
    for (let lane = 0; lane < laneCount; lane++) b.store(lanes, fixed(lane, i), f32(0));
    const weigh = (here: Index, lane: Index) => {
      const s = b.fresh("f32", "sub", b.freshLoad(weights, here), limit);
      const weight = elementwise.exp<Operand>(b, "f32", {}, [s]);
      b.store(lanes, lane, b.fresh("f32", "add", b.freshLoad(lanes, lane), weight));
      b.store(weights, here, weight);
    };
    b.loop(vectors, false, (t) =>
      b.loop(laneCount, false, (u) => {
        const { terms } = at(u, i);
        weigh(
          { constant: 0, terms: [{ variable: t, coefficient: laneCount * queries }, ...terms] },
          at(u, i),
        );
      }),
    );
    const dynamic = [{ value: filled, coefficient: -queries }];
    b.loop(seen, false, (p) => weigh(at(p, i), { ...at(p, i), dynamic }), filled);
    const all = Array.from({ length: laneCount }, (_, l) => b.freshLoad(lanes, fixed(l, i)));
    b.store(totals, fixed(0, i), byHalves(b, all));
  });
  return totals;
}

/** The sum of at most 16 lanes in the order of `combine`; missing lanes are 0. */
function byHalves(b: Builder, lanes: readonly Operand[]): Operand {
  let sums = [...lanes];
  for (let half = laneCount / 2; half >= 1; half /= 2)
    sums = sums
      .slice(0, half)
      .map((s, l) => (l + half < sums.length ? b.fresh("f32", "add", s, sums[l + half]) : s));
  return sums[0];
}
