import type { Tensor } from "../index.ts";
import * as o from "../index.ts";
import { Generator } from "./generator.ts";

/** A function to differentiate, and a point where it is smooth. */
export interface SmoothCase {
  readonly name: string;
  readonly fn: (...xs: Tensor[]) => Tensor;
  readonly inputs: readonly Tensor[];
  /** False if the second derivative is not defined (or is zero almost everywhere, and so not worth a test). */
  readonly twice: boolean;
}

const r = new Generator(5);
const any = (...shape: number[]) => r.tensor(shape, -1.5, 1.5);
const positive = (...shape: number[]) => r.tensor(shape, 0.5, 2);
const inner = (...shape: number[]) => r.tensor(shape, -0.8, 0.8);

/** Tensors whose elements differ from each other and from 0 by more than the step of a finite difference. */
function apart(...shapes: number[][]): Tensor[] {
  const sizes = shapes.map((s) => s.reduce((a, b) => a * b, 1));
  const total = sizes.reduce((a, b) => a + b, 0);
  const values = Array.from(
    { length: total },
    (_, i) => (i - total / 2 + 0.5) * 0.15 + r.between(-0.02, 0.02),
  );
  for (let i = total - 1; i > 0; i--) {
    const j = r.whole(0, i);
    [values[i], values[j]] = [values[j], values[i]];
  }
  let start = 0;
  return shapes.map((shape, i) =>
    o.tensor(Float32Array.from(values.slice(start, (start += sizes[i]))), { shape }),
  );
}

function smooth(name: string, fn: SmoothCase["fn"], inputs: readonly Tensor[], twice = true): SmoothCase {
  return { name, fn, inputs, twice };
}
const indices = (values: number[], shape: number[]) => o.tensor(values, { shape, dtype: "i32" });
const definite = (x: Tensor) => o.add(o.matmul(x, o.transpose(x)), o.mul(o.eye(x.shape[x.rank - 1]), 2));
/** Sums that do not depend on the arbitrary sign of an eigenvector. */
const even = (x: Tensor) => o.square(x);

const elementwise = (
  [
    ["neg", o.neg, any],
    ["exp", o.exp, any],
    ["expm1", o.expm1, any],
    ["log", o.log, positive],
    ["log1p", o.log1p, inner],
    ["sin", o.sin, any],
    ["cos", o.cos, any],
    ["tanh", o.tanh, any],
    ["sigmoid", o.sigmoid, any],
    ["erf", o.erf, any],
    ["lgamma", o.lgamma, positive],
    ["sqrt", o.sqrt, positive],
    ["rsqrt", o.rsqrt, positive],
    ["reciprocal", o.reciprocal, positive],
    ["square", o.square, any],
    ["silu", o.silu, any],
    ["gelu", o.gelu, any],
    ["gelu erf", (x: Tensor) => o.gelu(x, "erf"), any],
    ["softplus", o.softplus, any],
    ["logSigmoid", o.logSigmoid, any],
    ["mish", o.mish, any],
    ["erfInverse", o.erfInverse, inner],
    ["pow 3", (x: Tensor) => o.pow(x, 3), any],
    ["pow 2.5", (x: Tensor) => o.pow(x, 2.5), positive],
    ["pow -1", (x: Tensor) => o.pow(x, -1), positive],
  ] as [string, (x: Tensor) => Tensor, (...shape: number[]) => Tensor][]
).map(([name, f, domain]) => smooth(name, f, [domain(2, 3)]));

export const smoothCases: readonly SmoothCase[] = [
  ...elementwise,
  smooth("digamma", o.digamma, [positive(2, 3)], false),
  ...[
    ["abs", o.abs],
    ["relu", o.relu],
    ["elu", o.elu],
    ["leakyRelu", o.leakyRelu],
    ["huber", (x: Tensor) => o.huber(x, 0.45)],
  ].map(([name, f]) => smooth(name as string, f as (x: Tensor) => Tensor, apart([2, 4]), false)),
  smooth("clamp", (x) => o.clamp(x, -0.3, 0.31), apart([2, 4]), false),
  smooth("add", (a, b) => o.add(a, b), [any(2, 3), any(3)], false),
  smooth("sub", (a, b) => o.sub(a, b), [any(2, 1), any(3)], false),
  smooth("mul", (a, b) => o.mul(a, b), [any(2, 3), any(2, 1)]),
  smooth("mul by itself", (a) => o.mul(a, a), [any(3)]),
  smooth("div", (a, b) => o.div(a, b), [any(2, 3), positive(3)]),
  smooth("pow", (a, b) => o.pow(a, b), [positive(2, 3), any(3)]),
  smooth("maximum", (a, b) => o.maximum(a, b), apart([2, 3], [3]), false),
  smooth("minimum", (a, b) => o.minimum(a, b), apart([2, 3], [3]), false),
  smooth("mod", (a, b) => o.mod(a, b), [o.tensor([0.4, 2.6, -1.3]), o.tensor([1, 1.5, 0.8])], false),
  smooth("where", (a, b) => o.where(o.gt(o.sub(o.iota([4]), 2), 0), o.square(a), o.exp(b)), [any(4), any(1)]),
  smooth(
    "cast there and back",
    (a) => o.mul(a, o.cast(o.cast(a, "i32"), "f32")),
    [o.tensor([1.4, -2.6])],
    false,
  ),
  smooth("reshape", (a) => o.square(o.reshape(a, [3, 2])), [any(2, 3)]),
  smooth("broadcastTo", (a) => o.square(o.broadcastTo(a, [2, 3, 2])), [any(3, 1)]),
  smooth("permute", (a) => o.mul(o.permute(a, [2, 0, 1]), o.permute(a, [2, 0, 1])), [any(2, 3, 2)]),
  smooth("slice", (a) => o.square(o.slice(a, [[1, 3], { step: 2 }])), [any(4, 5)]),
  smooth("slice backwards", (a) => o.square(o.slice(a, [{ step: -2 }, { start: 3, end: 0, step: -1 }])), [
    any(5, 4),
  ]),
  smooth(
    "slice with wide steps",
    (a) =>
      o.square(
        o.slice(a, [
          { start: 1, step: 3 },
          { start: 4, step: -3 },
        ]),
      ),
    [any(5, 5)],
  ),
  smooth(
    "pad",
    (a) =>
      o.square(
        o.pad(
          a,
          [
            [1, 0],
            [2, 1],
          ],
          0.5,
        ),
      ),
    [any(2, 3)],
  ),
  smooth("concat", (a, b) => o.square(o.concat([a, b, a], 1)), [any(2, 1), any(2, 3)]),
  smooth("stack", (a, b) => o.square(o.stack([a, b], 1)), [any(2, 3), any(2, 3)]),
  smooth("split", (a) => o.mul(...(o.split(a, [2, 2], 1) as [Tensor, Tensor])), [any(2, 4)]),
  smooth("flip", (a) => o.mul(o.flip(a, 0), a), [any(4)]),
  smooth("windows", (a) => o.square(o.windows(a, 1, 3, 2, 1)), [any(2, 8)]),
  smooth("windows with dilation", (a) => o.square(o.windows(a, 0, 2, 1, 3)), [any(7)]),
  smooth("sum", (a) => o.square(o.sum(a, [0, 2])), [any(2, 3, 2)]),
  smooth("mean", (a) => o.square(o.mean(a, 1)), [any(3, 4)]),
  smooth("max", (a) => o.square(o.max(a, 1)), apart([3, 4])),
  smooth("min", (a) => o.square(o.min(a, [0, 1])), apart([3, 4])),
  smooth("prod", (a) => o.prod(a, [0, 2]), [positive(2, 2, 3)]),
  smooth("prod with a zero", (a) => o.prod(a, 1), [
    o.tensor([
      [1.2, 0, -0.7],
      [0, 0.9, 0],
    ]),
  ]),
  smooth("cumsum", (a) => o.square(o.cumsum(a, 1)), [any(2, 4)]),
  smooth("cumsum backwards", (a) => o.square(o.cumsum(a, 0, true)), [any(4, 2)]),
  smooth("cumprod", (a) => o.cumprod(a, 1), [positive(2, 4)]),
  smooth("cumprod backwards", (a) => o.cumprod(a, 0, true), [positive(4, 2)]),
  smooth("cumprod with zeros", (a) => o.cumprod(a, 1), [
    o.tensor([
      [1.2, 0, -0.7, 0.4],
      [0, 0.9, 0, 1.1],
    ]),
  ]),
  smooth("variance", (a) => o.variance(a, 1, 1), [any(2, 4)]),
  smooth("std", (a) => o.std(a, 0), [any(4, 2)]),
  smooth("norm", (a) => o.norm(a, 1), [any(2, 3)]),
  smooth("logSumExp", (a) => o.logSumExp(a, 0), [any(3, 2)]),
  smooth("softmax", (a) => o.softmax(a, 0), [any(4, 2)]),
  smooth("logSoftmax", (a) => o.logSoftmax(a), [any(2, 4)]),
  smooth("layerNorm", (a, s, b) => o.layerNorm(a, s, b), [any(2, 5), any(5), any(5)]),
  smooth("rmsNorm", (a, s) => o.rmsNorm(a, s), [any(2, 5), any(5)]),
  smooth("attention", (q, k, v) => o.attention(q, k, v, { causal: true }), [any(3, 2), any(3, 2), any(3, 2)]),
  smooth(
    "attention to the first keys",
    (q, k, v) => o.attention(q, k, v, { lengths: indices([1, 3, 0], [3]) }),
    [any(3, 2, 2), any(3, 4, 2), any(3, 4, 3)],
  ),
  smooth("crossEntropy", (a) => o.crossEntropy(a, indices([2, 0], [2])), [any(2, 4)]),
  smooth("bceWithLogits", (a, b) => o.bceWithLogits(a, b), [any(5), inner(5)]),
  smooth("mseLoss", (a, b) => o.mseLoss(a, b), [any(5), any(5)]),
  smooth("matmul", (a, b) => o.square(o.matmul(a, b)), [any(2, 3), any(3, 2)]),
  smooth("matmul with leading axes", (a, b) => o.matmul(a, b), [any(2, 1, 2, 3), any(2, 3, 1)]),
  smooth("matmul of vectors", (a, b) => o.matmul(o.matmul(a, b), a), [any(3), any(3, 3)]),
  smooth("outer and dot", (a, b) => o.dot(o.outer(a, b), o.outer(a, b)), [any(3), any(2)]),
  smooth("einsum", (a, b) => o.einsum("bij,bkj->kb", a, b), [any(2, 3, 2), any(2, 2, 2)]),
  smooth("conv1d", (x, w) => o.square(o.conv1d(x, w, { stride: 2, padding: 1 })), [
    any(1, 2, 5),
    any(2, 2, 3),
  ]),
  smooth("conv2d", (x, w) => o.conv2d(x, w, { dilation: 2, padding: 1 }), [any(1, 1, 5, 4), any(2, 1, 2, 2)]),
  smooth("maxPool2d", (x) => o.square(o.maxPool2d(x, 2)), apart([1, 1, 4, 4])),
  smooth("avgPool2d", (x) => o.square(o.avgPool2d(x, 2, 1)), [any(1, 1, 3, 3)]),
  smooth("gather", (a) => o.square(o.gather(a, indices([0, 2, 2, 1, 1, 1], [2, 3]), 1)), [any(2, 3)]),
  smooth("take", (a) => o.square(o.take(a, indices([1, 1, 0], [3]))), [any(3, 2)]),
  smooth("pick", (a) => o.square(o.pick(a, indices([1, 0], [2]))), [any(2, 3)]),
  smooth("scatterAdd", (a) => o.square(o.scatterAdd(indices([0, 2, 2, 1], [4]), a, 0, 3)), [any(4)]),
  smooth("segmentSum", (a) => o.square(o.segmentSum(a, indices([0, 1, 0], [3]), 2)), [any(3, 2)]),
  smooth("scatter", (a, b) => o.square(o.scatter(a, indices([2, 0], [2]), b, 0)), [any(4), any(2)]),
  smooth("dynamicSlice", (a) => o.square(o.dynamicSlice(a, 1, 2, 1)), [any(2, 4)]),
  smooth("dynamicUpdate", (a, b) => o.square(o.dynamicUpdate(a, b, 1, 0)), [any(4, 2), any(2, 2)]),
  smooth("sort", (a) => o.mul(o.sort(a, 1, true), o.exp(o.sort(a, 1))), apart([2, 4])),
  smooth("topK", (a) => o.square(o.topK(a, 2).values), apart([2, 4])),
  smooth("cholesky", (a) => o.cholesky(definite(a)), [any(3, 3)]),
  smooth("triangularSolve", (l, b) => o.triangularSolve(o.add(l, o.mul(o.eye(3), 3)), b), [
    any(3, 3),
    any(3, 2),
  ]),
  smooth("triangularSolve transposed", (l, b) => o.triangularSolve(o.add(l, o.mul(o.eye(3), 3)), b, true), [
    any(3, 3),
    any(3, 2),
  ]),
  smooth("solve", (a, b) => o.solve(definite(a), b), [any(2, 2), any(2, 1)]),
  smooth("diagonal", (a) => o.square(o.diagonal(a)), [any(3, 3)]),
  smooth("diagonalMatrix", (a) => o.square(o.diagonalMatrix(a)), [any(3)]),
  smooth("eigh values", (a) => o.eigh(o.add(a, o.transpose(a))).values, [
    o.tensor([
      [1, 0.2, 0.1],
      [0.3, 2.5, -0.2],
      [0, 0.4, -1],
    ]),
  ]),
  smooth("eigh vectors", (a) => even(o.eigh(o.add(a, o.transpose(a))).vectors), [
    o.tensor([
      [1, 0.2, 0.1],
      [0.3, 2.5, -0.2],
      [0, 0.4, -1],
    ]),
  ]),
  smooth("svd", (a) => o.concat([o.svd(a).s, o.reshape(even(o.svd(a).u), [-1])], 0), [
    o.tensor([
      [2, 0.1],
      [0.3, 1],
      [-0.2, 0.4],
    ]),
  ]),
  smooth(
    "scan",
    (x, w) =>
      o.scan(
        (h: Tensor, { x: now }: { x: Tensor }): readonly [Tensor, Tensor] => [
          o.tanh(o.add(o.mul(h, w), now)),
          o.square(h),
        ],
        o.full([2], 0.3),
        { x },
      ).ys,
    [any(4, 2), any(2)],
  ),
  smooth(
    "scan backwards, its carry",
    (x, w) =>
      o.scan(
        (h: Tensor, { x: now }: { x: Tensor }): readonly [Tensor, Tensor] => [
          o.sin(o.add(o.mul(h, w), now)),
          h,
        ],
        w,
        { x },
        { reverse: true },
      ).carry,
    [any(4, 2), any(2)],
  ),
  smooth(
    "scan with a count",
    (x, w) => {
      const { carry, ys } = o.scan(
        (h: Tensor, { x: now }: { x: Tensor }): readonly [Tensor, Tensor] => [
          o.tanh(o.add(o.mul(h, w), now)),
          o.exp(h),
        ],
        o.full([2], 0.3),
        { x },
        { count: 3 },
      );
      return o.concat([o.expandDims(carry, 0), ys], 0);
    },
    [any(5, 2), any(2)],
  ),
  smooth(
    "scan in a scan",
    (x, w) =>
      o.scan(
        (h: Tensor, { x: now }: { x: Tensor }): readonly [Tensor, Tensor] => {
          const inner = o.scan(
            (c: Tensor, _: undefined): readonly [Tensor, Tensor] => [o.tanh(o.mul(o.add(c, h), w)), c],
            now,
            undefined,
            { length: 2 },
          );
          return [inner.carry, o.sum(inner.ys)];
        },
        o.full([2], 0.3),
        { x },
      ).ys,
    [any(3, 2), any(2)],
  ),
];
