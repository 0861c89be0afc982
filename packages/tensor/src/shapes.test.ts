import { describe, expect, it } from "vitest";
import type { Tensor } from "./index.ts";
import * as o from "./index.ts";
import { expectClose } from "./testing/compare.ts";
import { Generator } from "./testing/generator.ts";
import { at, build, common, coordinates, fold, type Naive, naive, replaceAt } from "./testing/naive.ts";

const rounds = 40;

/** Checks a law on many random inputs; a failure names the round, which is the seed. */
function law(name: string, f: (r: Generator) => void): void {
  it(name, () => {
    for (let seed = 0; seed < rounds; seed++) {
      try {
        f(new Generator(seed * 7919 + 1));
      } catch (e) {
        throw new Error(`round ${seed}: ${(e as Error).message}`, { cause: e });
      }
    }
  });
}

const check = (what: string, actual: Tensor, expected: Naive) =>
  expectClose(what, actual, expected, { relative: 1e-5, absolute: 1e-5 });
const boolean = (v: unknown) => (v ? 1 : 0);

describe("operations agree with their definitions on random shapes", () => {
  law("broadcasting of arithmetic and comparisons", (r) => {
    const shape = r.shape(4, 4, 0);
    const [a, b] = [r.tensor(r.chance(0.5) ? shape : r.narrower(shape)), r.tensor(r.narrower(shape))];
    const [x, y] = [naive(a), naive(b)];
    const out = common(a.shape, b.shape);
    const both = (f: (p: number, q: number) => number) => build(out, (i) => f(at(x, i), at(y, i)));
    check(
      "add",
      o.add(a, b),
      both((p, q) => p + q),
    );
    check(
      "sub",
      o.sub(b, a),
      both((p, q) => q - p),
    );
    check(
      "mul",
      o.mul(a, b),
      both((p, q) => p * q),
    );
    check("maximum", o.maximum(a, b), both(Math.max));
    check(
      "lt",
      o.lt(a, b),
      both((p, q) => boolean(p < q)),
    );
    check(
      "where",
      o.where(o.ge(a, 0), a, b),
      both((p, q) => (p >= 0 ? p : q)),
    );
    check(
      "broadcastTo",
      o.broadcastTo(a, out),
      build(out, (i) => at(x, i)),
    );
  });

  law("incompatible shapes are refused, as in NumPy", (r) => {
    const [s, t] = [r.shape(3, 3), r.shape(3, 3)];
    const fits = s.every((d, i) => {
      const e = t[t.length - s.length + i] ?? 1;
      return d === e || d === 1 || e === 1;
    });
    const run = () => o.add(o.zeros(s), o.zeros(t));
    if (fits) expect(run().shape).toEqual(common(s, t));
    else expect(run).toThrow(`add: shapes [${s.join(", ")}] and [${t.join(", ")}] cannot be broadcast`);
  });

  law("reductions", (r) => {
    const shape = Array.from({ length: r.whole(1, 4) }, () => r.whole(1, 4));
    const a = r.tensor(shape);
    const axes = [...shape.keys()].filter(() => r.chance(0.5));
    const given = axes.map((i) => (r.chance(0.5) ? i : i - shape.length));
    const keepDims = r.chance(0.5);
    const reduced = (f: (v: number[]) => number) => fold(naive(a), axes, keepDims, f);
    const options = { axis: given, keepDims };
    const total = (v: number[]) => v.reduce((p, q) => p + q, 0);
    check("sum", o.sum(a, options), reduced(total));
    check(
      "mean",
      o.mean(a, options),
      reduced((v) => total(v) / v.length),
    );
    check(
      "prod",
      o.prod(a, options),
      reduced((v) => v.reduce((p, q) => p * q, 1)),
    );
    check(
      "max",
      o.max(a, options),
      reduced((v) => Math.max(...v)),
    );
    check(
      "min",
      o.min(a, options),
      reduced((v) => Math.min(...v)),
    );
    check("all", o.sum(a), fold(naive(a), [...shape.keys()], false, total));
  });

  law("along one axis: cumulative, arguments, sorting", (r) => {
    const shape = Array.from({ length: r.whole(1, 3) }, () => r.whole(1, 5));
    const axis = r.whole(0, shape.length - 1);
    const a = r.chance(0.5) ? r.tensor(shape) : o.cast(r.integers(shape, -2, 2), "f32");
    const x = naive(a);
    const line = (i: number[]) => Array.from({ length: shape[axis] }, (_, k) => at(x, replaceAt(i, axis, k)));
    const reduced = shape.filter((_, i) => i !== axis);
    const whole = (i: number[]) => line([...i.slice(0, axis), 0, ...i.slice(axis)]);
    const ranked = (v: number[], sign: number) => [...v.keys()].sort((p, q) => sign * (v[p] - v[q]) || p - q);
    check(
      "cumsum",
      o.cumsum(a, axis),
      build(shape, (i) =>
        line(i)
          .slice(0, i[axis] + 1)
          .reduce((p, q) => p + q, 0),
      ),
    );
    check(
      "cumprod backwards",
      o.cumprod(a, axis, true),
      build(shape, (i) =>
        line(i)
          .slice(i[axis])
          .reduce((p, q) => p * q, 1),
      ),
    );
    check(
      "argmax",
      o.argmax(a, axis),
      build(reduced, (i) => whole(i).indexOf(Math.max(...whole(i)))),
    );
    check(
      "argmin",
      o.argmin(a, axis),
      build(reduced, (i) => whole(i).indexOf(Math.min(...whole(i)))),
    );
    check(
      "argsort",
      o.argsort(a, axis),
      build(shape, (i) => ranked(line(i), 1)[i[axis]]),
    );
    check(
      "argsort descending",
      o.argsort(a, axis, true),
      build(shape, (i) => ranked(line(i), -1)[i[axis]]),
    );
    check(
      "sort",
      o.sort(a, axis),
      build(shape, (i) => line(i).sort((p, q) => p - q)[i[axis]]),
    );
  });

  law("reshape, permute, slice, flip, pad", (r) => {
    const shape = r.shape(4, 4);
    const a = r.tensor(shape);
    const x = naive(a);
    check("reshape", o.reshape(a, [-1]), { shape: [a.size], data: x.data });
    const order = [...shape.keys()].sort(() => r.next() - 0.5);
    check(
      "permute",
      o.permute(a, order),
      build(
        order.map((i) => shape[i]),
        (i) =>
          at(
            x,
            order.map((_, k) => i[order.indexOf(k)]),
          ),
      ),
    );
    const ranges = shape.map((d) => ({
      start: r.whole(-d - 1, d + 1),
      end: r.whole(-d - 1, d + 1),
      step: r.pick([1, 2, 3, -1, -2]),
    }));
    const picked = shape.map((d, i) => sliceIndices(d, ranges[i]));
    check(
      `slice ${JSON.stringify(ranges)}`,
      o.slice(a, ranges),
      build(
        picked.map((p) => p.length),
        (i) =>
          at(
            x,
            i.map((v, k) => picked[k][v]),
          ),
      ),
    );
    const widths = shape.map(() => [r.whole(0, 2), r.whole(0, 2)] as const);
    const inside = (i: number[]) => i.map((v, k) => v - widths[k][0]);
    check(
      "pad",
      o.pad(a, widths, 7),
      build(
        shape.map((d, k) => d + widths[k][0] + widths[k][1]),
        (i) => (inside(i).every((v, k) => v >= 0 && v < shape[k]) ? at(x, inside(i)) : 7),
      ),
    );
    if (shape.length) {
      const axis = r.whole(-shape.length, shape.length - 1);
      const k = axis < 0 ? axis + shape.length : axis;
      check(
        "flip",
        o.flip(a, axis),
        build(shape, (i) => at(x, replaceAt(i, k, shape[k] - 1 - i[k]))),
      );
    }
  });

  law("concat, stack, split, expandDims, squeeze", (r) => {
    const shape = Array.from({ length: r.whole(1, 3) }, () => r.whole(1, 4));
    const axis = r.whole(0, shape.length - 1);
    const parts = Array.from({ length: r.whole(1, 3) }, () =>
      r.tensor(replaceAt(shape, axis, r.whole(0, 3))),
    );
    const joined = o.concat(parts, axis);
    const sizes = parts.map((p) => p.shape[axis]);
    const total = sizes.reduce((p, q) => p + q, 0);
    check(
      "concat",
      joined,
      build(replaceAt(shape, axis, total), (i) => {
        let [k, v] = [0, i[axis]];
        while (v >= sizes[k]) v -= sizes[k++];
        return at(naive(parts[k]), replaceAt(i, axis, v));
      }),
    );
    o.split(joined, sizes, axis).forEach((p, k) => {
      check("split", p, naive(parts[k]));
    });
    const same = [r.tensor(shape), r.tensor(shape)];
    const place = r.whole(0, shape.length);
    check(
      "stack",
      o.stack(same, place),
      build([...shape.slice(0, place), 2, ...shape.slice(place)], (i) =>
        at(
          naive(same[i[place]]),
          i.filter((_, k) => k !== place),
        ),
      ),
    );
    check("squeeze", o.squeeze(o.expandDims(same[0], place), place), naive(same[0]));
  });

  law("gather, scatter, scatterAdd, take, oneHot", (r) => {
    const shape = Array.from({ length: r.whole(1, 3) }, () => r.whole(1, 4));
    const axis = r.whole(0, shape.length - 1);
    const count = r.whole(1, 4);
    const a = r.tensor(shape);
    const indexShape = replaceAt(shape, axis, count);
    const indices = r.integers(
      indexShape.map((d, i) => (i !== axis && r.chance(0.3) ? 1 : d)),
      0,
      shape[axis] - 1,
    );
    const [x, n] = [naive(a), naive(indices)];
    check(
      "gather",
      o.gather(a, indices, axis),
      build(indexShape, (i) => at(x, replaceAt(i, axis, at(n, i)))),
    );
    const source = r.tensor(indexShape);
    const sums = build(shape, () => 0).data as number[];
    const last = [...x.data] as number[];
    coordinates(indexShape).forEach((i, k) => {
      const target = coordinates(shape).findIndex((c) =>
        c.every((v, p) => v === (p === axis ? at(n, i) : i[p])),
      );
      sums[target] += source.data[k];
      last[target] = source.data[k];
    });
    check("scatterAdd", o.scatterAdd(indices, source, axis, shape[axis]), { shape, data: sums });
    check("scatter", o.scatter(a, indices, source, axis), { shape, data: last });
    const ids = r.integers(r.shape(2, 3), 0, shape[axis] - 1);
    check(
      "take",
      o.take(a, ids, axis),
      build([...shape.slice(0, axis), ...ids.shape, ...shape.slice(axis + 1)], (i) => {
        const inner = i.slice(axis, axis + ids.rank);
        return at(x, [...i.slice(0, axis), at(naive(ids), inner), ...i.slice(axis + ids.rank)]);
      }),
    );
    check(
      "oneHot",
      o.oneHot(ids, 5),
      build([...ids.shape, 5], (i) => boolean(at(naive(ids), i.slice(0, -1)) === i[ids.rank])),
    );
  });

  law("dynamic slices and windows", (r) => {
    const shape = Array.from({ length: r.whole(1, 3) }, () => r.whole(1, 6));
    const axis = r.whole(0, shape.length - 1);
    const size = r.whole(1, shape[axis]);
    const a = r.tensor(shape);
    const start = r.whole(-2, shape[axis] + 1);
    const from = Math.max(0, Math.min(shape[axis] - size, start));
    check(
      "dynamicSlice",
      o.dynamicSlice(a, start, size, axis),
      build(replaceAt(shape, axis, size), (i) => at(naive(a), replaceAt(i, axis, from + i[axis]))),
    );
    const update = r.tensor(replaceAt(shape, axis, size));
    const inside = (i: number[]) => i[axis] >= from && i[axis] < from + size;
    check(
      "dynamicUpdate",
      o.dynamicUpdate(a, update, start, axis),
      build(shape, (i) =>
        inside(i) ? at(naive(update), replaceAt(i, axis, i[axis] - from)) : at(naive(a), i),
      ),
    );
    const [stride, dilation] = [r.whole(1, 3), r.whole(1, 2)];
    const span = (size - 1) * dilation + 1;
    if (span > shape[axis]) return;
    const many = Math.floor((shape[axis] - span) / stride) + 1;
    check(
      "windows",
      o.windows(a, axis, size, stride, dilation),
      build([...shape.slice(0, axis), many, size, ...shape.slice(axis + 1)], (i) =>
        at(naive(a), [...i.slice(0, axis), i[axis] * stride + i[axis + 1] * dilation, ...i.slice(axis + 2)]),
      ),
    );
  });

  law("matmul, einsum and their broadcasting", (r) => {
    const [m, k, n] = [r.whole(1, 5), r.whole(1, 5), r.whole(1, 5)];
    const lead = r.shape(2, 3);
    const a = r.tensor(r.chance(0.2) ? [k] : [...r.narrower(lead), m, k]);
    const b = r.tensor(r.chance(0.2) ? [k] : [...r.narrower(lead), k, n]);
    const [rows, columns] = [a.rank > 1 ? [m] : [], b.rank > 1 ? [n] : []];
    const batch = common(a.shape.slice(0, -2), b.shape.slice(0, -2));
    check(
      `matmul [${a.shape}] [${b.shape}]`,
      o.matmul(a, b),
      build([...batch, ...rows, ...columns], (i) => {
        const outer = i.slice(0, batch.length);
        let [q, total] = [batch.length, 0];
        const row = rows.length ? [i[q++]] : [];
        const column = columns.length ? [i[q]] : [];
        for (let l = 0; l < k; l++) {
          total +=
            at(naive(a), [...(a.rank > 1 ? outer : []), ...row, l]) *
            at(naive(b), [...(b.rank > 1 ? outer : []), l, ...column]);
        }
        return total;
      }),
    );
    const [x, y] = [r.tensor([m, k, n]), r.tensor([k, m])];
    check(
      "einsum",
      o.einsum("abc,ba->ca", x, y),
      build([n, m], ([c, i]) =>
        Array.from({ length: k }, (_, l) => at(naive(x), [i, l, c]) * at(naive(y), [l, i])).reduce(
          (p, q) => p + q,
          0,
        ),
      ),
    );
  });

  law("integers", (r) => {
    const shape = r.shape(2, 4);
    const [a, b] = [r.integers(shape, -9, 9), r.integers(shape, 1, 5)];
    const both = (f: (p: number, q: number) => number) =>
      build(shape, (i) => f(at(naive(a), i), at(naive(b), i)));
    check(
      "div truncates towards zero",
      o.div(a, b),
      both((p, q) => Math.trunc(p / q)),
    );
    check(
      "mod follows the divisor",
      o.mod(a, b),
      both((p, q) => ((p % q) + q) % q),
    );
    check(
      "mod by a negative",
      o.mod(a, o.neg(b)),
      both((p, q) => p - -q * Math.floor(p / -q)),
    );
    check(
      "shr",
      o.shr(a, b),
      both((p, q) => p >> q),
    );
    check(
      "xor",
      o.xor(a, b),
      both((p, q) => p ^ q),
    );
    check("sum", o.sum(a), { shape: [], data: [Array.from(a.data).reduce((p, q) => p + q, 0)] });
    check(
      "to u8",
      o.cast(a, "u8"),
      both((p) => p & 255),
    );
  });
});

/** The elements that Python's slice(start, end, step) takes from an axis. */
function sliceIndices(
  d: number,
  { start, end, step }: { start: number; end: number; step: number },
): number[] {
  const limit = (v: number) => (step > 0 ? Math.min(d, Math.max(0, v)) : Math.min(d - 1, Math.max(-1, v)));
  const [from, to] = [limit(start < 0 ? start + d : start), limit(end < 0 ? end + d : end)];
  const out: number[] = [];
  for (let i = from; step > 0 ? i < to : i > to; i += step) out.push(i);
  return out;
}
