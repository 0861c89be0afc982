import { computeType } from "../dtype.ts";
import { numbers, scalarOps } from "../math/algebra.ts";
import { elementwise } from "../math/elementwise.ts";
import type { Reductions } from "../primitives.ts";
import { sizeOf, stridesOf } from "../shape.ts";
import type { Evaluator, Evaluators, Operand } from "./evaluator.ts";
import { forEachIndex } from "./movement.ts";

/** Calls `f(start, step, count, number of the line)` for each line along `axis`. */
function lines(
  x: Operand,
  axis: number,
  f: (start: number, step: number, count: number, line: number) => void,
): void {
  const step = stridesOf(x.shape)[axis];
  const count = x.shape[axis];
  const outer = sizeOf(x.shape.slice(0, axis));
  for (let o = 0; o < outer; o++)
    for (let i = 0; i < step; i++) f(o * step * count + i, step, count, o * step + i);
}

function reduce(op: "add" | "mul" | "maximum" | "minimum", start: number): Evaluator<keyof Reductions> {
  return ([x], { axes: reduced }, out, _, dtype) => {
    const outStrides = stridesOf(x.shape.filter((__, a) => !reduced.includes(a)));
    let k = 0;
    const strides = x.shape.map((__, a) => (reduced.includes(a) ? 0 : outStrides[k++]));
    const type = computeType(dtype);
    const sums = new Float64Array(out.length).fill(start);
    const seen = new Uint8Array(out.length);
    forEachIndex(x.shape, (i, index) => {
      const at = index.reduce((n, v, a) => n + v * strides[a], 0);
      const v = x.data[i];
      if (op === "maximum" || op === "minimum")
        sums[at] = seen[at] ? elementwise[op](numbers, type, {}, [sums[at], v]) : v;
      // Float sums and products accumulate in double precision: this is the reference for accuracy.
      else
        sums[at] =
          type === "f32" ? (op === "add" ? sums[at] + v : sums[at] * v) : scalarOps[type][op](sums[at], v, 0);
      seen[at] = 1;
    });
    out.set(sums);
  };
}

function argument(better: (a: number, b: number) => boolean): Evaluator<"argmax" | "argmin"> {
  return ([x], { axis }, out) => {
    lines(x, axis, (start, step, count, line) => {
      let best = 0;
      for (let i = 1; i < count; i++)
        if (better(x.data[start + i * step], x.data[start + best * step])) best = i;
      out[line] = best;
    });
  };
}

function cumulative(op: "add" | "mul"): Evaluator<"cumsum" | "cumprod"> {
  return ([x], { axis, reverse }, out, _, dtype) => {
    const f = scalarOps[computeType(dtype)][op];
    lines(x, axis, (start, step, count) => {
      let total = op === "add" ? 0 : 1;
      for (let i = 0; i < count; i++) {
        const at = start + (reverse ? count - 1 - i : i) * step;
        total = f(total, x.data[at], 0);
        out[at] = total;
      }
    });
  };
}

type Reducing = keyof Reductions | ("argmax" | "argmin" | "cumsum" | "cumprod" | "argsort");

export const reductions: Evaluators<Reducing> = {
  sum: reduce("add", 0),
  prod: reduce("mul", 1),
  max: reduce("maximum", 0),
  min: reduce("minimum", 0),
  argmax: argument((a, b) => a > b),
  argmin: argument((a, b) => a < b),
  cumsum: cumulative("add"),
  cumprod: cumulative("mul"),
  argsort: ([x], { axis, descending }, out) => {
    lines(x, axis, (start, step, count) => {
      const order = Array.from({ length: count }, (_, i) => i);
      const value = (i: number) => x.data[start + i * step];
      // NaN sorts as the largest, as in PyTorch.
      const compare = (i: number, j: number) => {
        const [a, b] = [value(i), value(j)];
        return a === b
          ? 0
          : Number.isNaN(a)
            ? Number.isNaN(b)
              ? 0
              : 1
            : Number.isNaN(b)
              ? -1
              : a < b
                ? -1
                : 1;
      };
      order.sort((i, j) => (descending ? compare(j, i) : compare(i, j)) || i - j);
      for (let i = 0; i < count; i++) out[start + i * step] = order[i];
    });
  },
};
