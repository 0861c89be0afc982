import * as o from "@reins/tensor";
import { Generator } from "../../../tensor/dist/testing/generator.js";
import { compared } from "./operations.ts";
import type { Section } from "./section.ts";

const r = new Generator(7);
const any = (...shape: number[]) => r.tensor(shape, -1, 1);
const signs = (...shape: number[]) => o.gt(any(...shape), 0);

/** Sizes that take other ways through the back end than small ones. */
const programs: Parameters<typeof compared>[0] = [
  {
    name: "rows whose scratch memory does not fit into a workgroup",
    inputs: [any(5, 20_000), any(20_000)],
    fn: (x, w) => [o.softmax(x), o.layerNorm(x, w), o.logSoftmax(x)],
  },
  {
    name: "more rows than workgroups of a dispatch",
    inputs: [any(40_000, 3), any(70_000)],
    fn: (x, y) => [o.softmax(x), o.sum(x, 1), o.exp(y)],
  },
  {
    name: "products in tiles of 64 and 32, past their edges",
    inputs: [any(530, 37), any(37, 610), any(610), any(200, 70), any(70, 150)],
    fn: (a, b, bias, c, d) => [o.add(o.matmul(a, b), bias), o.matmul(c, d)],
  },
  {
    name: "random keys and numbers",
    inputs: [o.tensor(Int32Array.of(0, 1, 2 ** 31 - 1, -5)), o.random.key(3)],
    fn: (i, key) => [
      ...o.random.splitKey(key, 3),
      o.random.foldKey(key, o.sum(i)),
      o.random.uniform(key, [1000]),
      o.random.randint(key, [1000], -7, 100),
      o.random.bits(key, [1000]),
      o.random.normal(key, [1000]),
    ],
  },
  {
    name: "bools at positions that are not multiples of a word",
    inputs: [signs(7, 5), signs(7, 3), signs(13)],
    fn: (a, b, c) => [
      o.concat([a, b, a], 1),
      o.slice(c, [[3, 10]]),
      o.concat([c, o.reshape(a, [35]), c], 0),
      o.pad(a, [
        [1, 2],
        [3, 1],
      ]),
      o.scan(
        (all: o.Tensor, { x }: { x: o.Tensor }) => [o.or(all, x), o.not(all)] as const,
        o.slice(a, [[0, 1]]),
        {
          x: o.reshape(a, [7, 1, 5]),
        },
      ).ys,
    ],
  },
];

export const sizes: Section = (count) => compared(programs.slice(0, count));
