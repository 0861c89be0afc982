import type { NodeOf, Op } from "../graph.ts";
import * as o from "../ops/arithmetic.ts";
import { dynamicSlice, dynamicUpdate, gather, lowerMask, scatter, scatterAdd } from "../ops/indexing.ts";
import { triangularSolve } from "../ops/linalg.ts";
import { product } from "../ops/linear.ts";
import {
  broadcastTo,
  concat,
  expandDims,
  full,
  iota,
  overlapAdd,
  pad,
  permute,
  reshape,
  slice,
  strided,
  transpose,
  windows,
} from "../ops/movement.ts";
import { attains, cumprod, cumsum, sum } from "../ops/reduce.ts";
import { sameShape } from "../shape.ts";
import type { Tensor } from "../tensor.ts";
import { ruleOf } from "./custom.ts";
import { scan } from "./scan.ts";

/** From the gradient of a node's result to one per input; null if there is none. */
export type Rule<K extends Op> = (
  g: Tensor,
  y: Tensor,
  inputs: Tensor[],
  node: NodeOf<K>,
) => (Tensor | null)[];

/**
 * Operations without a rule. `"flat"`: the result does not change smoothly with any input. `"refused"`: the gradient is not
 * implemented. `"loop"`: `gradient.ts` handles loops as a whole.
 */
type Without = "flat" | "refused" | "loop";

const zerosLike = (x: Tensor) => full(x.shape, 0);
const kept = (x: Tensor, axes: readonly number[]) => x.shape.map((d, i) => (axes.includes(i) ? 1 : d));
/** Broadcasts a reduced gradient over the reduced axes. */
const spread = (g: Tensor, x: Tensor, axes: readonly number[]) =>
  broadcastTo(reshape(g, kept(x, axes)), x.shape);

const extreme: Rule<"max" | "min"> = (g, y, [x], node) => {
  const { axes } = node.attributes;
  const hits = o.cast(attains(x, y, axes), "f32");
  // Equal extremes split the gradient.
  return [o.mul(o.div(hits, spread(sum(hits, axes), x, axes)), spread(g, x, axes))];
};
const larger =
  (comparison: typeof o.gt): Rule<"maximum" | "minimum"> =>
  (g, _, [a, b]) => {
    const half = o.where(o.eq(a, b), o.mul(g, 0.5), 0);
    return [o.where(comparison(a, b), g, half), o.where(comparison(b, a), g, half)];
  };

/** The gradient rule of each primitive, in terms of primitives, so that gradients can be differentiated again. */
export const rules: { readonly [K in Op]: Rule<K> | Without } = {
  add: (g) => [g, g],
  sub: (g) => [g, o.neg(g)],
  mul: (g, _, [a, b]) => [o.mul(g, b), o.mul(g, a)],
  div: (g, y, [, b]) => {
    const q = o.div(g, b);
    return [q, o.neg(o.mul(q, y))];
  },
  neg: (g) => [o.neg(g)],
  abs: (g, _, [x]) => [o.mul(g, o.sign(x))],
  sqrt: (g, y) => [o.div(o.mul(g, 0.5), y)],
  rsqrt: (g, y) => [o.mul(o.mul(g, -0.5), o.mul(o.square(y), y))],
  reciprocal: (g, y) => [o.neg(o.mul(g, o.square(y)))],
  exp: (g, y) => [o.mul(g, y)],
  // Not y + 1, which cancels for very negative x.
  expm1: (g, _, [x]) => [o.mul(g, o.exp(x))],
  log: (g, _, [x]) => [o.div(g, x)],
  log1p: (g, _, [x]) => [o.div(g, o.add(x, 1))],
  sin: (g, _, [x]) => [o.mul(g, o.cos(x))],
  cos: (g, _, [x]) => [o.neg(o.mul(g, o.sin(x)))],
  tanh: (g, y) => [o.mul(g, o.sub(1, o.square(y)))],
  sigmoid: (g, y) => [o.mul(g, o.mul(y, o.sub(1, y)))],
  erf: (g, _, [x]) => [o.mul(g, o.mul(o.exp(o.neg(o.square(x))), 2 / Math.sqrt(Math.PI)))],
  lgamma: (g, _, [x]) => [o.mul(g, o.digamma(x))],
  digamma: (g, _, [x]) => [o.mul(g, o.trigamma(x))],
  // Uses the result, which is stored anyway: it is positive where the argument is.
  relu: (g, y) => [o.where(o.gt(y, 0), g, 0)],
  pow: (g, y, [a, b]) => {
    // At a = 0 the logarithm is -∞, but the power does not depend on b there.
    const l = o.where(o.gt(a, 0), o.log(o.where(o.gt(a, 0), a, 1)), 0);
    // And 0⁰ is 1 for any change of a: 0 · 0⁻¹ would be NaN.
    const flat = o.and(o.eq(a, 0), o.eq(b, 0));
    const less = o.where(flat, 0, o.sub(b, 1));
    return [o.mul(g, o.mul(b, o.pow(a, less))), o.mul(g, o.mul(y, l))];
  },
  maximum: larger(o.gt),
  minimum: larger(o.lt),
  mod: (g, y, [a, b]) => [g, o.neg(o.mul(g, o.round(o.div(o.sub(a, y), b))))],
  where: (g, _, [c]) => [null, o.where(c, g, 0), o.where(c, 0, g)],
  cast: (g, _, [x]) => [x.dtype === "f32" ? g : null],
  identity: (g) => [g],
  custom: (g, y, [, ...inputs], node) => [null, ...ruleOf(node)(g, y, ...inputs)],
  reshape: (g, _, [x]) => [reshape(g, x.shape)],
  broadcast: (g, _, [x]) => {
    const axes = x.shape.flatMap((d, i) => (d === 1 && g.shape[i] !== 1 ? [i] : []));
    return [reshape(sum(g, axes), x.shape)];
  },
  permute: (g, _, __, node) => {
    const { axes } = node.attributes;
    return [
      permute(
        g,
        axes.map((_, i) => axes.indexOf(i)),
      ),
    ];
  },
  slice: (g, _, [x], node) => {
    const { begin, size, step } = node.attributes;
    const back = strided(
      g,
      size.map((n, i) => (step[i] < 0 ? n - 1 : 0)),
      size,
      step.map((s) => (s < 0 ? -1 : 1)),
    );
    let wide = back;
    const first = begin.map((b, i) => (step[i] < 0 ? b + (size[i] - 1) * step[i] : b));
    step.forEach((s, i) => {
      const gap = Math.abs(s);
      if (gap === 1 || size[i] <= 1) return;
      // Inserts gap - 1 zeros after each element: a new axis, padded, and folded back.
      const cut = expandDims(wide, i + 1);
      const padded = pad(
        cut,
        cut.shape.map((__, a) => (a === i + 1 ? [0, gap - 1] : [0, 0]) as [number, number]),
      );
      const merged = reshape(
        padded,
        wide.shape.map((d, a) => (a === i ? d * gap : d)),
      );
      wide = slice(
        merged,
        merged.shape.map((d, a) => (a === i ? [0, d - gap + 1] : null)) as [number, number][],
      );
    });
    return [
      pad(
        wide,
        x.shape.map((d, i) => [first[i], d - first[i] - wide.shape[i]] as [number, number]),
      ),
    ];
  },
  pad: (g, _, [x], node) => [
    strided(
      g,
      node.attributes.low,
      [...x.shape],
      x.shape.map(() => 1),
    ),
  ],
  concat: (g, _, inputs, node) => {
    const { axis } = node.attributes;
    let start = 0;
    return inputs.map((x) => {
      const begin = g.shape.map((__, i) => (i === axis ? start : 0));
      start += x.shape[axis];
      return strided(
        g,
        begin,
        [...x.shape],
        g.shape.map(() => 1),
      );
    });
  },
  windows: (g, _, [x], node) => {
    const { axis, stride, dilation } = node.attributes;
    return [overlapAdd(g, axis, x.shape[axis], stride, dilation)];
  },
  overlapAdd: (g, _, [x], node) => {
    const { axis, stride, dilation } = node.attributes;
    const all = windows(g, axis, x.shape[axis + 1], stride, dilation);
    return [
      sameShape(all.shape, x.shape)
        ? all
        : slice(
            all,
            x.shape.map((d) => [0, d] as [number, number]),
          ),
    ];
  },
  sum: (g, _, [x], node) => [spread(g, x, node.attributes.axes)],
  max: extreme,
  min: extreme,
  prod: (g, y, [x], node) => {
    const { axes } = node.attributes;
    // The product of the others, without division so that zeros are handled: before × after, on one flat axis.
    const order = [...x.shape.keys()].filter((a) => !axes.includes(a)).concat(axes);
    const flat = reshape(permute(x, order), [y.size, -1]);
    const ones = full([y.size, 1], 1);
    const n = flat.shape[1];
    const before = concat([ones, slice(cumprod(flat, 1), [null, [0, n - 1]])], 1);
    const after = concat([slice(cumprod(flat, 1, true), [null, [1, n]]), ones], 1);
    const others = permute(
      reshape(
        o.mul(before, after),
        order.map((a) => x.shape[a]),
      ),
      order.map((_, i) => order.indexOf(i)),
    );
    return [o.mul(spread(g, x, axes), others)];
  },
  cumsum: (g, _, __, node) => [cumsum(g, node.attributes.axis, !node.attributes.reverse)],
  cumprod: (g, y, [x], node) => {
    const { axis, reverse } = node.attributes;
    if (x.shape[axis] === 0) return [g];
    // The product before element i times Σⱼ gⱼ·(the elements from after i to j). The sum is a recurrence from the end; division
    // would be wrong at zeros.
    const shift = (t: Tensor, from: number) => {
      const one = full(
        t.shape.map((d, i) => (i === axis ? 1 : d)),
        1,
      );
      const rest = slice(
        t,
        t.shape.map((d, i) => (i !== axis ? null : from < 0 ? [0, d - 1] : [1, d])) as [number, number][],
      );
      return concat(from < 0 ? [one, rest] : [rest, one], axis);
    };
    const first = (t: Tensor) =>
      permute(
        t,
        [axis, ...t.shape.keys()].filter((a, i) => i === 0 || a !== axis),
      );
    const back = [...x.shape.keys()].map((a) => (a === axis ? 0 : a < axis ? a + 1 : a));
    const after = shift(x, reverse ? -1 : 1);
    const step = (s: Tensor, at: { g: Tensor; after: Tensor }): readonly [Tensor, Tensor] => {
      const next = o.add(at.g, o.mul(at.after, s));
      return [next, next];
    };
    const sums = scan(
      step,
      full(
        x.shape.filter((_, i) => i !== axis),
        0,
      ),
      { g: first(g), after: first(after) },
      { reverse: !reverse },
    ).ys;
    return [o.mul(shift(y, reverse ? 1 : -1), permute(sums, back))];
  },
  matmul: (g, _, [a, b]) => [product(g, transpose(b)), product(transpose(a), g)],
  gather: (g, _, [x, i], node) => {
    const { axis } = node.attributes;
    return [scatterAdd(i, g, axis, x.shape[axis]), null];
  },
  scatterAdd: (g, _, [i], node) => [null, gather(g, i, node.attributes.axis)],
  scatter: (g, _, [, i, s], node) => {
    const { axis } = node.attributes;
    // If several elements are written to one position, the last one wins, and only that one has a gradient.
    const order = iota(s.shape, axis);
    const last = gather(scatter(full(g.shape, -1, "i32"), i, order, axis), i, axis);
    return [scatter(g, i, zerosLike(s), axis), null, o.where(o.eq(last, order), gather(g, i, axis), 0)];
  },
  dynamicSlice: (g, _, [x, start], node) => [
    dynamicUpdate(zerosLike(x), g, start, node.attributes.axis),
    null,
  ],
  dynamicUpdate: (g, _, [, u, start], node) => {
    const { axis } = node.attributes;
    return [dynamicUpdate(g, zerosLike(u), start, axis), dynamicSlice(g, start, u.shape[axis], axis), null];
  },
  triangularSolve: (g, y, [l], node) => {
    const { transposed } = node.attributes;
    const b = triangularSolve(l, g, !transposed);
    const outer = transposed ? product(y, transpose(b)) : product(b, transpose(y));
    const n = l.shape[l.rank - 1];
    return [o.where(lowerMask(n), o.neg(outer), 0), b];
  },

  constant: "flat",
  iota: "flat",
  input: "flat",
  stopGradient: "flat",
  floor: "flat",
  ceil: "flat",
  round: "flat",
  trunc: "flat",
  sign: "flat",
  argmax: "flat",
  argmin: "flat",
  argsort: "flat",
  threefry: "flat",
  bitcast: "flat",
  eq: "flat",
  ne: "flat",
  lt: "flat",
  le: "flat",
  gt: "flat",
  ge: "flat",
  not: "flat",
  and: "flat",
  or: "flat",
  xor: "flat",
  shl: "flat",
  shr: "flat",
  trigamma: "refused",
  cholesky: "refused",
  jacobi: "refused",
  attend: "refused",
  flash: "refused",
  fma: "refused",
  copy: "refused",
  scan: "loop",
  element: "loop",
};
