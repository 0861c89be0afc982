import { describe, it } from "vitest";
import type { Tensor } from "./index.ts";
import * as o from "./index.ts";
import { fastBackends } from "./testing/backends.ts";
import { expectClose } from "./testing/compare.ts";
import { Generator } from "./testing/generator.ts";

const r = new Generator(21);

/** Views that one user needs in memory and another as a view: readers of the memory must come after its writer. */
const cases: [string, (...xs: Tensor[]) => Tensor[], Tensor[]][] = [
  [
    "a repeated row, reduced flat and negated",
    (x) => {
      const wide = o.broadcastTo(x, [2, 11]);
      const negative = o.neg(wide);
      return [o.sum(o.reshape(wide, [1, 22])), negative];
    },
    [r.tensor([1, 11])],
  ],
  [
    "a permuted tensor, reduced flat and compared",
    (x, y) => {
      const turned = o.permute(x, [1, 2, 0]);
      const smaller = o.minimum(turned, y);
      return [o.sum(o.reshape(turned, [2, 15])), smaller];
    },
    [r.tensor([3, 2, 5]), r.tensor([2, 5, 3])],
  ],
  [
    "a slice with steps, reduced flat and compared",
    (x, y) => {
      const part = o.slice(x, [{ start: 5 }, null, { start: 1, step: 2 }]);
      return [o.maximum(part, y), o.max(o.transpose(o.reshape(part, [1, 15])), 0)];
    },
    [r.tensor([6, 5, 6]), r.tensor([1, 5, 3])],
  ],
  [
    "a repeated quotient that is a result, and the sum of a part of it",
    (x, y) => {
      const wide = o.broadcastTo(o.reshape(o.div(x, y), [1]), [3]);
      return [o.mul(o.sum(o.slice(wide, [[2, 3]])), 0.1), wide];
    },
    [o.tensor(0.7), o.tensor(1.3)],
  ],
  [
    "a repeated tensor that is a result, and its sum beside a product",
    (c, x, y, m, b) => {
      const [picked, wide] = [o.where(o.gt(c, 0), x, y), o.broadcastTo(b, [3, 5, 2])];
      const product = o.matmul(o.div(picked, 1.7), m);
      return [o.add(o.mul(picked, y), o.mul(o.sum(wide), 0.1)), product, wide];
    },
    [r.tensor([5, 2]), r.tensor([5, 2]), r.tensor([5, 2]), r.tensor([2, 5]), r.tensor([1, 5, 2])],
  ],
  [
    "a flipped tensor that is a result, and its mean beside a product",
    (x, y) => {
      const positive = o.relu(x);
      const product = o.matmul(positive, x);
      const back = o.flip(y, 1);
      return [o.div(positive, o.add(o.square(o.mean(back)), 1)), product, back];
    },
    [r.tensor([4, 4]), r.tensor([1, 6, 3])],
  ],
  [
    "halves of the rows of a slice, swapped and multiplied",
    (x, y) => {
      const halves = o.reshape(o.slice(x, [null, [2, 14]]), [3, 2, 2, 3]);
      return [o.add(o.mul(halves, y), o.flip(halves, -2)), o.flip(o.reshape(x, [3, 4, 2, 2]), -3)];
    },
    [r.tensor([3, 16]), r.tensor([3])],
  ],
  [
    "a padded softmax, and a slice that is a result",
    (x, y) => {
      const p = o.softmax(x);
      const padded = o.pad(p, [[1, 0]], 0.5);
      const part = o.slice(y, [{ start: 1, step: 2 }]);
      return [o.add(o.mul(p, 0.5), o.mul(o.sum(part), 0.1)), padded, part];
    },
    [r.tensor([43]), r.tensor([2])],
  ],
];

for (const backend of fastBackends()) {
  describe(`views with two kinds of users (${backend})`, () => {
    for (const [name, fn, xs] of cases) {
      it(name, () => {
        const want = fn(...xs);
        o.compile((ts: Tensor[]) => fn(...ts), { backend })(xs).forEach((t, i) => {
          expectClose(`result ${i}`, t, want[i], { relative: 1e-5, absolute: 1e-5 });
        });
      });
    }

    it("a triangular solve from the last row up", () => {
      const l = o.add(o.mul(o.eye(3), 2), o.mul(r.tensor([3, 3]), 0.3));
      const fn = o.compile((x: Tensor, y: Tensor) => o.triangularSolve(x, y, true), { backend });
      for (const columns of [1, 2, 3, 4, 5, 8, 17]) {
        const b = r.tensor([3, columns]);
        expectClose(`${columns} columns`, fn(l, b), o.triangularSolve(l, b, true), {
          relative: 1e-5,
          absolute: 1e-5,
        });
      }
    });
  });
}
