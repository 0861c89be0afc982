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
  /** Number of keys that the last query sees, and that all queries see. */
  readonly seen: Operand;
  readonly shared: Operand;
  /** Number of keys that a query sees. */
  readonly seenBy: (query: Value) => Operand;
  readonly query: (query: Value, d: Value) => Operand;
  readonly key: (key: Value, d: number) => Operand;
  /** Scratch for one number per key and query; queries are contiguous. */
  readonly weights: number;
}

/**
 * Attention weights of a block of queries, with lanes along the queries: no sum runs across a vector. Sums have the bits of lanes along
 * the width and along the keys: lane l adds the elements l, l + 16 …, and the lanes are added by halves.
 */
export function blockWeights(e: Emitter, block: WeightedBlock): void {
  const { queries, width, scale, seen, shared, seenBy, query, key, weights } = block;
  const b = e.builder;
  const f32 = (x: number) => b.constant("f32", x);
  const [turned, limits, totals] = [width, 1, laneCount].map((n) => e.scratch("f32", n * queries));
  const at = (row: Value, i: Value, plus = 0): Index => ({
    constant: plus * queries,
    terms: [
      { variable: row, coefficient: queries },
      { variable: i, coefficient: 1 },
    ],
  });
  const fixed = (row: number, i: Value): Index => ({
    constant: row * queries,
    terms: [{ variable: i, coefficient: 1 }],
  });
  const each = (body: (i: Value) => void) => b.loop(queries, true, body);
  const eachKey = (body: (p: Value) => void, from?: Operand) => b.loop(seen, false, body, from);

  b.loop(queries, false, (i) => b.loop(width, false, (d) => b.store(turned, at(d, i), query(i, d))));
  eachKey((p) => {
    const parts = Array.from({ length: width }, (_, d) => key(p, d));
    each((i) => {
      const lanes: Operand[] = [];
      parts.forEach((x, d) => {
        const q = b.freshLoad(turned, fixed(d, i));
        const lane = d % laneCount;
        lanes[lane] = d < laneCount ? b.fresh("f32", "mul", q, x) : b.fresh("f32", "fma", q, x, lanes[lane]);
      });
      b.store(weights, at(p, i), b.fresh("f32", "mul", byHalves(b, lanes), f32(scale)));
    });
  });
  // Hidden keys get weight 0.
  eachKey(
    (p) =>
      each((i) => {
        const s = b.freshLoad(weights, at(p, i));
        const visible = b.fresh("i32", "lt", p, seenBy(i));
        b.store(weights, at(p, i), b.fresh("f32", "select", visible, s, f32(Number.NEGATIVE_INFINITY)));
      }),
    shared,
  );
  each((i) => b.store(limits, fixed(0, i), f32(Number.NEGATIVE_INFINITY)));
  eachKey((p) =>
    each((i) => {
      const s = b.freshLoad(weights, at(p, i));
      b.store(limits, fixed(0, i), accumulate(e, "max", b.freshLoad(limits, fixed(0, i)), [s]));
    }),
  );

  for (let lane = 0; lane < laneCount; lane++) each((i) => b.store(totals, fixed(lane, i), f32(0)));
  const weigh = (here: Index, lane: Index, i: Value) => {
    const s = b.fresh("f32", "sub", b.freshLoad(weights, here), b.freshLoad(limits, fixed(0, i)));
    const weight = elementwise.exp<Operand>(b, "f32", {}, [s]);
    b.store(totals, lane, b.fresh("f32", "add", b.freshLoad(totals, lane), weight));
    b.store(weights, here, weight);
  };
  const vectors = b.op("i32", "div", seen, b.constant("i32", laneCount));
  const whole = b.op("i32", "mul", vectors, b.constant("i32", laneCount));
  b.loop(vectors, false, (t) =>
    b.loop(laneCount, false, (u) =>
      each((i) => {
        const { terms } = at(u, i);
        const here = { constant: 0, terms: [{ variable: t, coefficient: laneCount * queries }, ...terms] };
        weigh(here, at(u, i), i);
      }),
    ),
  );
  eachKey((p) => {
    const dynamic = [{ value: whole, coefficient: -queries }];
    each((i) => weigh(at(p, i), { ...at(p, i), dynamic }, i));
  }, whole);
  each((i) => {
    const lanes = Array.from({ length: laneCount }, (_, l) => b.freshLoad(totals, fixed(l, i)));
    b.store(limits, fixed(0, i), byHalves(b, lanes));
  });
  eachKey((p) =>
    each((i) => {
      const weight = b.freshLoad(weights, at(p, i));
      b.store(weights, at(p, i), b.fresh("f32", "div", weight, b.freshLoad(limits, fixed(0, i))));
    }),
  );
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
