import type { Tensor } from "../index.ts";
import * as o from "../index.ts";
import { sameShape } from "../shape.ts";
import { Generator } from "./generator.ts";

/** A random program: arguments to update (`state`), arguments to read (`xs`), and its operations. */
export interface RandomGraph {
  readonly state: Tensor[];
  readonly xs: Tensor[];
  readonly run: (state: Tensor[], xs: Tensor[]) => { state: Tensor[]; others: Tensor[] };
  /** The operations, for messages. */
  readonly steps: string[];
}

const unary = {
  tanh: o.tanh,
  sin: o.sin,
  sigmoid: o.sigmoid,
  neg: o.neg,
  abs: o.abs,
  relu: o.relu,
  cos: o.cos,
  erf: o.erf,
  softplus: o.softplus,
};
const binary = { add: o.add, sub: o.sub, mul: o.mul, maximum: o.maximum, minimum: o.minimum };
type Step = (r: Generator, pool: Tensor[], inputs: Tensor[]) => [string, Tensor] | undefined;

const any = (r: Generator, pool: Tensor[]) => r.pick(pool);
const axisOf = (r: Generator, t: Tensor) => r.whole(0, t.rank - 1);

/** Values stay small and functions continuous: results may differ between back ends only by rounding. */
const steps: readonly Step[] = [
  (r, pool) => {
    const name = r.pick(Object.keys(unary) as (keyof typeof unary)[]);
    return [name, unary[name](any(r, pool))];
  },
  (r, pool) => {
    const name = r.pick(Object.keys(binary) as (keyof typeof binary)[]);
    const a = any(r, pool);
    const fits = pool.filter(
      (b) => b.rank <= a.rank && b.shape.every((d, i) => d === 1 || d === a.shape[a.rank - b.rank + i]),
    );
    return [name, o.mul(binary[name](a, r.pick(fits)), 0.5)];
  },
  (r, pool) => [
    "softmax-ish",
    o.div(any(r, pool), o.add(o.square(any(r, pool).rank ? o.mean(any(r, pool)) : 1), 1)),
  ],
  (r, pool, inputs) => {
    // Conditions only on arguments: a computed value near the threshold could fall on either side.
    const c = r.pick(inputs);
    const same = pool.filter((t) => sameShape(t.shape, c.shape));
    return ["where", o.where(o.gt(c, 0.1), r.pick(same), r.chance(0.5) ? r.pick(same) : 0.25)];
  },
  (r, pool) => {
    const t = any(r, pool);
    if (!t.rank) return undefined;
    const axis = axisOf(r, t);
    const name = r.pick(["sum", "mean", "max", "min"] as const);
    const y = o[name](t, { axis, keepDims: r.chance(0.5) });
    return [name, name === "sum" ? o.mul(y, 1 / t.shape[axis]) : y];
  },
  (r, pool) => {
    const t = any(r, pool);
    return t.rank ? ["softmax", o.softmax(t, axisOf(r, t))] : undefined;
  },
  (r, pool) => {
    const t = any(r, pool);
    return t.rank ? ["cumsum", o.mul(o.cumsum(t, axisOf(r, t), r.chance(0.5)), 0.3)] : undefined;
  },
  (r, pool) => {
    const t = any(r, pool);
    return [
      "permute",
      o.permute(
        t,
        [...t.shape.keys()].sort(() => r.next() - 0.5),
      ),
    ];
  },
  (r, pool) => {
    const t = any(r, pool);
    const d = [1, 2, 3, 4].filter((n) => t.size % n === 0);
    return ["reshape", o.reshape(t, [r.pick(d), -1])];
  },
  (r, pool) => {
    const t = any(r, pool);
    return [
      "slice",
      o.slice(
        t,
        t.shape.map((n) => ({ start: r.whole(0, n - 1), step: r.pick([1, 2]) })),
      ),
    ];
  },
  (r, pool) => {
    const t = any(r, pool);
    return t.rank ? ["flip", o.flip(t, axisOf(r, t))] : undefined;
  },
  (r, pool) => {
    const t = any(r, pool);
    return t.size < 300
      ? [
          "pad",
          o.pad(
            t,
            t.shape.map(() => [r.whole(0, 1), r.whole(0, 2)] as const),
            0.5,
          ),
        ]
      : undefined;
  },
  (r, pool) => {
    const t = any(r, pool);
    return t.rank && t.size < 300 ? ["concat", o.concat([t, o.neg(t)], axisOf(r, t))] : undefined;
  },
  (r, pool) => {
    const t = any(r, pool);
    return t.rank < 3 && t.size < 200
      ? ["broadcast", o.broadcastTo(t, [r.whole(1, 3), ...t.shape])]
      : undefined;
  },
  (r, pool) => {
    const a = any(r, pool);
    if (a.rank < 2) return undefined;
    const k = a.shape[a.rank - 1];
    const b = pool.find((t) => t.rank === 2 && t.shape[0] === k && r.chance(0.7)) ?? o.transpose(a);
    return ["matmul", o.mul(o.matmul(a, b), 1 / k)];
  },
  (r, pool) => {
    const a = any(r, pool);
    return a.rank ? ["take", o.take(a, o.mod(o.iota([r.whole(1, 4)]), a.shape[0]))] : undefined;
  },
];

/** The program of a seed. */
export function randomGraph(seed: number): RandomGraph {
  const r = new Generator(seed * 104729 + 17);
  // Every third is larger, to cover vectors, tiles and their remainders.
  const shape = () => (seed % 3 === 0 ? r.shape(2, 45) : r.shape(3, 6));
  const state = Array.from({ length: r.whole(1, 3) }, () => r.tensor(shape(), -1, 1));
  const xs = Array.from({ length: r.whole(1, 2) }, () => r.tensor(shape(), -1, 1));
  const length = r.whole(4, 18);
  const names: string[] = [];
  const run = (s: Tensor[], x: Tensor[]) => {
    // The same samples at every trace: the program depends only on the seed.
    const q = new Generator(seed * 31 + 5);
    const inputs = [...s, ...x];
    const pool = [...inputs];
    names.length = 0;
    for (let i = 0; i < length; i++) {
      const made = q.pick(steps)(q, pool, inputs);
      if (!made || made[1].size > 4000) continue;
      names.push(`${made[0]} [${made[1].shape}]`);
      pool.push(made[1]);
    }
    const recent = pool.slice(inputs.length);
    const others = recent.filter(() => q.chance(0.3));
    // The next state has the old shapes: all results are folded in by their mean.
    const next = s.map((t) => {
      const same = recent.filter((p) => sameShape(p.shape, t.shape));
      const base = same.length ? q.pick(same) : o.tanh(t);
      return recent.length ? o.add(o.mul(base, 0.5), o.mul(o.mean(q.pick(recent)), 0.1)) : base;
    });
    // States that swap positions: a donated argument is read after another result was written.
    const swap = next.length > 1 && sameShape(next[0].shape, next[1].shape);
    return {
      state: swap ? [next[1], next[0], ...next.slice(2)] : next,
      others: others.length ? others : pool.slice(-1),
    };
  };
  return { state, xs, run, steps: names };
}
