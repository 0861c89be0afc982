import { all, type Builder, numeric, ref } from "../builder.ts";
import type { Arg } from "../program.ts";
import { args, type Maker } from "./maker.ts";

const divisors = (n: number) =>
  Array.from({ length: Math.min(n, 64) }, (_, i) => i + 1).filter((d) => n % d === 0);

/** Extents whose product is `size`. */
function factors(b: Builder, size: number): number[] {
  if (size === 0) return b.r.pick([[0], [0, 3], [2, 0], [1, 0, 2]]);
  const out: number[] = [];
  let rest = size;
  for (let i = b.r.whole(0, 3); i > 0; i--) {
    const d = b.r.pick(divisors(rest));
    out.push(d);
    rest /= d;
  }
  return b.r.shuffled([...out, rest]);
}

const shapes =
  (...extra: ((b: Builder) => Arg)[]): Maker =>
  (b) =>
    args(b.shape(0, 4, Math.min(600, b.shared.limit)), ...extra.map((f) => f(b)));

/** Views, joins and constants. */
export const movement: Readonly<Record<string, Maker>> = {
  reshape: (b) => {
    const x = b.any();
    const shape = factors(b, x.tensor.size);
    if (x.tensor.size && b.r.chance(0.2)) shape[b.r.whole(0, shape.length - 1)] = -1;
    return args(ref(x), shape);
  },
  broadcastTo: (b) => {
    const x = b.any(all, 0, 3, (t) => t.size <= 200);
    const wide = x.tensor.shape.map((d) => (d === 1 && b.r.chance(0.7) ? b.r.pick([2, 3, 17]) : d));
    return args(ref(x), b.r.chance(0.5) ? [b.r.pick([1, 2, 3]), ...wide] : wide);
  },
  permute: (b) => {
    const x = b.any(all, 1);
    return args(ref(x), b.r.shuffled([...x.tensor.shape.keys()]));
  },
  transpose: (b) => {
    const x = b.any(all, 2);
    return b.r.chance(0.5) ? args(ref(x)) : args(ref(x), b.axis(x.tensor), b.axis(x.tensor));
  },
  slice: (b) => {
    const x = b.any(all, 1);
    const ranges = x.tensor.shape.map((d): Arg => {
      const kind = b.r.next();
      if (kind < 0.25) return null;
      const start = b.r.whole(0, Math.max(0, d - 1));
      if (kind < 0.55) return [start, b.r.whole(start + (b.shared.empty ? 0 : 1), Math.max(start + 1, d))];
      if (kind < 0.8) return { start, step: b.r.pick([1, 2, 3]) };
      return b.r.chance(0.5) ? { step: -b.r.whole(1, 3) } : { start: -1, step: -b.r.whole(1, 2) };
    });
    return args(ref(x), ranges.slice(0, b.r.whole(1, ranges.length)));
  },
  flip: (b) => {
    const x = b.any(all, 1);
    return args(ref(x), b.axis(x.tensor));
  },
  pad: (b) => {
    const x = b.any(all, 1);
    const widths = x.tensor.shape.map(() => [b.r.pick([0, 0, 1, 2]), b.r.pick([0, 0, 1, 3])]);
    return b.r.chance(0.5)
      ? args(ref(x), widths)
      : args(
          ref(x),
          widths,
          x.tensor.dtype === "bool" ? 1 : b.r.pick([0, 1, 2, x.tensor.dtype === "f32" ? -1.5 : 3]),
        );
  },
  concat: (b) => {
    const x = b.any(all, 1);
    const axis = b.axis(x.tensor);
    const at = axis < 0 ? axis + x.tensor.rank : axis;
    const parts = [ref(x)];
    for (let i = b.r.whole(1, 2); i > 0; i--) {
      const y = b.find(
        (t) =>
          t.dtype === x.tensor.dtype &&
          t.rank === x.tensor.rank &&
          t.shape.every((d, k) => k === at || d === x.tensor.shape[k]),
      );
      const shape = x.tensor.shape.map((d, k) => (k === at ? b.r.pick([1, 2, 3]) : d));
      parts.push(ref(y && b.r.chance(0.6) ? y : b.source(shape, x.tensor.dtype)));
    }
    return args(b.r.shuffled(parts), axis);
  },
  stack: (b) => {
    const x = b.any(all, 0, 3);
    const parts = [
      x,
      ...Array.from({ length: b.r.whole(1, 2) }, () => b.source(x.tensor.shape, x.tensor.dtype)),
    ];
    return args(b.r.shuffled(parts).map(ref), b.r.whole(0, x.tensor.rank));
  },
  split: (b) => {
    const x = b.any(all, 1);
    const axis = b.r.whole(0, x.tensor.rank - 1);
    const d = x.tensor.shape[axis];
    const cut = b.r.whole(0, d);
    return args(ref(x), b.r.chance(0.3) && cut < d ? [cut, 1, d - cut - 1] : [cut, d - cut], axis);
  },
  expandDims: (b) => {
    const x = b.any(all, 0, 4);
    return args(ref(x), b.r.whole(0, x.tensor.rank));
  },
  squeeze: (b) => {
    const x = b.any(all);
    const ones = [...x.tensor.shape.keys()].filter((a) => x.tensor.shape[a] === 1);
    return ones.length && b.r.chance(0.5) ? args(ref(x), b.r.pick(ones)) : args(ref(x));
  },
  windows: (b) => {
    const x = b.any(all, 1, 4, (t) => t.size > 0);
    const axis = b.r.whole(0, x.tensor.rank - 1);
    const d = x.tensor.shape[axis];
    const size = b.r.whole(1, Math.min(4, d));
    const dilation = size > 1 && b.r.chance(0.3) && (size - 1) * 2 + 1 <= d ? 2 : 1;
    return args(ref(x), axis, size, b.r.whole(1, 3), dilation);
  },
  iota: (b) => {
    const shape = b.shape(1, 3, 600);
    return args(shape, b.r.whole(0, shape.length - 1));
  },
  full: (b) => {
    if (b.must?.tensor.rank === 0 || b.r.chance(0.2)) return args(b.shape(0, 3, 600), ref(b.any(all, 0, 0)));
    return args(b.shape(0, 3, 600), b.r.pick([0, 1, 7, 2]), b.r.pick(all));
  },
  zeros: shapes((b) => b.r.pick(all)),
  ones: shapes((b) => b.r.pick(all)),
  zerosLike: (b) => args(ref(b.any())),
  onesLike: (b) => args(ref(b.any())),
  arange: (b) => {
    const start = b.r.whole(0, 3);
    return args(start, start + b.r.whole(1, 20), b.r.whole(1, 3), b.r.pick(["f32", "i32", "u32"]));
  },
  linspace: (b) => args(-1, b.r.whole(0, 4), b.r.whole(1, 33)),
  eye: (b) => args(b.r.whole(1, 9)),
  scalar: (b) => args(b.r.whole(0, 3), b.r.pick(all)),
  tensor: (b) =>
    args(
      Array.from({ length: b.r.whole(1, 9) }, () => b.r.whole(-3, 3)),
      { dtype: b.r.pick(["f32", "i32"]) },
    ),
  diagonal: (b) => args(ref(square(b))),
  diagonalMatrix: (b) => args(ref(b.any(numeric, 1, 2, (t) => t.size < 100 && t.shape[t.rank - 1] < 20))),
  stopGradient: (b) => args(ref(b.any())),
};

/** f32 matrices [..., n, n]. */
export function square(b: Builder, most = 7) {
  const fits = (t: { rank: number; shape: readonly number[]; dtype: string }) =>
    t.dtype === "f32" &&
    t.rank >= 2 &&
    t.rank <= 3 &&
    t.shape[t.rank - 1] === t.shape[t.rank - 2] &&
    t.shape[t.rank - 1] <= most;
  const found = b.find(fits);
  if (found) return found;
  const n = b.r.whole(1, most);
  return b.source(b.r.chance(0.3) ? [b.r.whole(1, 3), n, n] : [n, n], "f32");
}
