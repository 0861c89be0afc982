import { describe, it } from "vitest";
import type { Tensor } from "./index.ts";
import * as o from "./index.ts";
import { backends } from "./testing/backends.ts";
import { expectClose } from "./testing/compare.ts";

const close = { relative: 1e-4, absolute: 1e-5 };
const uniform = (seed: number, shape: number[]) => o.random.uniform(o.random.key(seed), shape, -2, 2);

/** A policy head over a few actions: products, softmax, the choice of one action, a loss and its gradients. */
function head(x: Tensor, w: Tensor, b: Tensor, action: Tensor) {
  const loss = (p: { w: Tensor; b: Tensor }) => {
    const logits = o.add(o.matmul(o.tanh(x), p.w), p.b);
    const chosen = o.gather(o.logSoftmax(logits), action, -1);
    const entropy = o.sum(o.mul(o.softmax(logits), o.logSoftmax(logits)), -1);
    return o.add(o.mean(chosen), o.mul(o.mean(entropy), 0.1));
  };
  const { value, gradient } = o.valueAndGradient(loss)({ w, b });
  const logits = o.add(o.matmul(x, w), b);
  return [value, gradient.w, gradient.b, o.argmax(logits, -1), o.argmin(logits, -1), o.softmax(logits)];
}

// Row counts around the lane width and the chunk size; sides around the threshold for dedicated product kernels.
const rows = [1, 31, 130, 1027];
const sides = [1, 2, 4, 6, 7, 9, 17];

for (const backend of backends().filter((b) => b !== "reference")) {
  describe(`rows of a few elements on ${backend}`, () => {
    for (const n of rows) {
      it(`${n} rows`, () => {
        for (const k of backend === "native" || n > 1000 ? [4, 9] : sides)
          for (const m of backend === "native" || n > 1000 ? [2, 17] : sides) {
            const args = [uniform(1, [n, k]), uniform(2, [k, m]), uniform(3, [m])] as const;
            const action = o.random.randint(o.random.key(4), [n, 1], 0, m);
            const want = head(...args, action);
            const compiled = o.compile(head, { backend, name: "head" });
            compiled(...args, action).forEach((got, i) => {
              expectClose(`result ${i} of ${n}×${k}·${k}×${m}`, got, want[i], close);
            });
          }
      });
    }

    it("finds the first extreme, and treats NaN like the plain operation", () => {
      const x = o.tensor([1, 3, 3, Number.NaN, 1, 0, 2, Number.NaN, 5, -1, -1, -1, 0, -Infinity, -Infinity], {
        shape: [5, 3],
      });
      const both = (v: Tensor) => [o.argmax(v, -1), o.argmin(v, -1)];
      const want = both(x);
      o.compile(both, { backend, name: "extremes" })(x).forEach((got, i) => {
        expectClose(`result ${i}`, got, want[i], { relative: 0, absolute: 0 });
      });
    });
  });
}
