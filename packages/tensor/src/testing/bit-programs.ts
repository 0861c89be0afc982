import type { Tensor } from "../index.ts";
import * as o from "../index.ts";
import { elementwiseCases } from "./elementwise-cases.ts";
import { Generator } from "./generator.ts";
import { smoothCases } from "./smooth-cases.ts";
import { operands } from "./special-values.ts";

/** A program whose results have the same bits on every machine. */
export interface BitProgram {
  readonly name: string;
  readonly inputs: readonly Tensor[];
  readonly fn: (...xs: Tensor[]) => Tensor[];
}

const r = new Generator(41);
const any = (...shape: number[]) => r.tensor(shape, -1.5, 1.5);
const program = (name: string, fn: BitProgram["fn"], ...inputs: Tensor[]): BitProgram => ({
  name,
  inputs,
  fn,
});
/** Lengths below, equal to and above the number of lanes of a sum. */
const lengths = [1, 3, 7, 9, 13, 16, 17, 31, 64, 100, 257];

const elementwise = elementwiseCases.flatMap(({ op, types, count, f }, i) =>
  types.map((type) => program(`${op} of ${type} (${i})`, (...xs) => [f(...xs)], ...operands(type, count))),
);

/** Values and gradients of every differentiable operation. */
const smooth = smoothCases.map(({ name, fn, inputs }, i) =>
  program(
    `${name} and its gradient (${i})`,
    (...xs) => [fn(...xs), ...o.gradient(o.sum(o.mul(fn(...xs), 1.5)), xs)],
    ...inputs,
  ),
);

const sums = lengths.flatMap((n) => [
  program(
    `reductions of rows of ${n}`,
    (x) => [o.sum(x, 1), o.sum(x), o.prod(x, 1), o.max(x, 1), o.min(x, 0), o.mean(x, 0), o.norm(x, 1)],
    any(3, n),
  ),
  program(
    `norms of rows of ${n}`,
    (x, w) => [o.softmax(x), o.logSoftmax(x), o.layerNorm(x, w), o.rmsNorm(x, w), o.logSumExp(x, 0)],
    any(4, n),
    any(n),
  ),
  program(
    `sums of products and of long bodies, ${n}`,
    (x, y) => [
      o.sum(o.mul(x, y), 1),
      o.sum(o.div(o.tanh(x), o.add(o.square(y), 1)), 1),
      o.sum(o.exp(o.sin(o.mul(x, o.sigmoid(y)))), 0),
    ],
    any(5, n),
    any(5, n),
  ),
  program(
    `positions and running sums, ${n}`,
    (x) => [o.argmax(x, 1), o.argmin(x, 0), o.cumsum(x, 1), o.cumprod(x, 0), o.argsort(x, 1), o.sort(x, 1)],
    any(6, n),
  ),
]);

const integers = program(
  "reductions of integers",
  (x, y) => [o.sum(x, 1), o.max(x, 1), o.min(x), o.prod(y, 1), o.cumsum(x, 0)],
  r.integers([5, 45], -1000, 1000),
  r.integers([5, 45], -3, 3),
);

/** Both operands plain and transposed, with and without a bias. */
const products = [
  [1, 1, 40],
  [1, 33, 64],
  [2, 3, 17],
  [3, 70, 13],
  [5, 8, 100],
  [8, 64, 64],
  [16, 31, 129],
  [17, 5, 33],
  [40, 2, 65],
  [33, 50, 600],
].map(([m, n, k]) =>
  program(
    `products ${m}×${k}·${k}×${n}`,
    (a, b, c, d, bias) => {
      const pairs: [Tensor, Tensor][] = [
        [a, b],
        [o.transpose(c), b],
        [a, o.transpose(d)],
        [o.transpose(c), o.transpose(d)],
      ];
      return pairs.flatMap(([x, y]) => [o.matmul(x, y), o.add(o.matmul(x, y), bias), o.matmul(o.tanh(x), y)]);
    },
    any(m, k),
    any(k, n),
    any(k, m),
    any(n, k),
    any(n),
  ),
);

const networks = [
  program(
    "products with leading axes",
    (a, b, c) => [o.matmul(a, b), o.matmul(a, c), o.einsum("bhqd,bhkd->bhqk", a, a)],
    any(2, 3, 5, 24),
    any(2, 1, 24, 7),
    any(24, 2),
  ),
  program(
    "attention, whole and to first keys",
    (q, k, v, n) => [
      o.attention(q, k, v, { causal: true }),
      o.attention(o.slice(q, [null, null, [0, 1]]), k, v, { lengths: n }),
    ],
    any(3, 2, 21, 24),
    any(3, 2, 21, 24),
    any(3, 2, 21, 24),
    o.tensor(Int32Array.from([5, 21, 16]), { shape: [3, 1] }),
  ),
  program(
    "convolutions and their gradients",
    (x, w) => {
      const y = o.conv2d(x, w, { stride: 2, padding: 1 });
      return [y, ...o.gradient(o.mean(o.square(y)), [x, w])];
    },
    any(2, 3, 9, 10),
    any(8, 3, 3, 3),
  ),
  program(
    "a training step",
    (x, w, v, b) => {
      const y = o.matmul(o.tanh(o.add(o.matmul(x, w), b)), v);
      return o.gradient(o.mean(o.square(o.sub(o.logSoftmax(y), 0.1))), [w, v, b]);
    },
    any(50, 12),
    any(12, 64),
    any(64, 3),
    any(64),
  ),
  program(
    "a loop",
    (x) => [
      o.scan(
        (c: Tensor, { v }: { v: Tensor }): readonly [Tensor, Tensor] => [
          o.tanh(o.add(o.mul(c, 0.9), v)),
          o.sum(c),
        ],
        o.zeros([45]),
        { v: x },
      ).ys,
    ],
    any(20, 45),
  ),
  program("random numbers", () => {
    const key = o.random.key(3);
    return [
      o.random.bits(key, [65]),
      o.random.uniform(key, [65]),
      o.random.normal(key, [65]),
      o.random.gamma(key, o.full([65], 0.7)),
      o.random.truncatedNormal(key, [65], 0.5, 3),
      o.random.permutation(key, 65),
    ];
  }),
];

export const bitPrograms: readonly BitProgram[] = [
  ...elementwise,
  ...smooth,
  ...sums,
  integers,
  ...products,
  ...networks,
];
