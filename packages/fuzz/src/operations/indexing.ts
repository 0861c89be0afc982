import { all, type Builder, ref } from "../builder.ts";
import type { Arg } from "../program.ts";
import { args, type Maker } from "./maker.ts";

const full = (t: { size: number }) => t.size > 0;
const starts = (b: Builder, room: number): Arg =>
  b.r.chance(0.3) ? b.r.whole(0, Math.max(0, room)) : b.indices([], Math.max(1, room + 1));

/** Reads and writes at computed positions, and sorting. */
export const indexing: Readonly<Record<string, Maker>> = {
  gather: (b) => {
    const x = b.any(all, 1, 4, full);
    const axis = b.r.whole(0, x.tensor.rank - 1);
    const count = b.r.pick([1, 2, 3, 7, 17]);
    const thin = b.r.chance(0.4);
    const shape = x.tensor.shape.map((d, i) => (i === axis ? count : thin || b.r.chance(0.2) ? 1 : d));
    return args(ref(x), b.indices(shape, x.tensor.shape[axis]), axis);
  },
  take: (b) => {
    const x = b.any(all, 1, 3, full);
    const axis = b.r.whole(0, x.tensor.rank - 1);
    return args(ref(x), b.indices(b.shape(0, 2, 20), x.tensor.shape[axis]), axis);
  },
  scatterAdd: (b) => {
    const x = b.any(["f32", "i32", "u32"], 1, 4, full);
    const axis = b.r.whole(0, x.tensor.rank - 1);
    const size = b.r.pick([1, 2, 3, 5, 17]);
    const shape = x.tensor.shape.map((d, i) => (i !== axis && b.r.chance(0.4) ? 1 : d));
    return args(b.indices(shape, size), ref(x), axis, size);
  },
  scatter: (b) => {
    const x = b.any(all, 1, 4, full);
    const axis = b.r.whole(0, x.tensor.rank - 1);
    const count = b.r.pick([1, 2, 3, 5]);
    const source = b.source(
      x.tensor.shape.map((d, i) => (i === axis ? count : d)),
      x.tensor.dtype,
    );
    const shape = source.tensor.shape.map((d, i) => (i !== axis && b.r.chance(0.5) ? 1 : d));
    return args(ref(x), b.indices(shape, x.tensor.shape[axis]), ref(source), axis);
  },
  segmentSum: (b) => {
    const x = b.any(["f32", "i32", "u32"], 1, 3, full);
    const count = b.r.pick([1, 2, 3, 7]);
    return args(ref(x), b.indices([x.tensor.shape[0]], count), count);
  },
  oneHot: (b) => {
    const i = b.any(["i32"], 0, 2, (t) => t.size < 100);
    return args(ref(i), b.r.pick([1, 2, 3, 5, 17]), b.r.pick(all));
  },
  dynamicSlice: (b) => {
    const x = b.any(all, 1, 4, full);
    const axis = b.r.whole(0, x.tensor.rank - 1);
    const d = x.tensor.shape[axis];
    const size = b.r.whole(1, d);
    return args(ref(x), starts(b, d - size), size, axis);
  },
  dynamicUpdate: (b) => {
    const x = b.any(all, 1, 4, full);
    const axis = b.r.whole(0, x.tensor.rank - 1);
    const d = x.tensor.shape[axis];
    const size = b.r.whole(1, d);
    const update = b.source(
      x.tensor.shape.map((n, i) => (i === axis ? size : n)),
      x.tensor.dtype,
    );
    return args(ref(x), ref(update), starts(b, d - size), axis);
  },
  argsort: (b) => {
    const x = b.any(["f32", "i32", "u32"], 1);
    return args(ref(x), b.axis(x.tensor), b.r.chance(0.5));
  },
  sort: (b) => {
    const x = b.any(["f32", "i32", "u32"], 1);
    return args(ref(x), b.axis(x.tensor), b.r.chance(0.5));
  },
  topK: (b) => {
    const x = b.any(["f32", "i32", "u32"], 1, 4, full);
    const axis = b.r.whole(0, x.tensor.rank - 1);
    return args(ref(x), b.r.whole(1, Math.min(5, x.tensor.shape[axis])), axis);
  },
  lowerMask: (b) => args(b.r.whole(1, 9), b.r.whole(1, 17), b.r.whole(-2, 2)),
  upperMask: (b) => args(b.r.whole(1, 9), b.r.whole(1, 17), b.r.whole(-2, 2)),
  lengthMask: (b) => args(ref(b.any(["i32"], 0, 2, (t) => t.size < 100)), b.r.whole(1, 9)),
  pick: (b) => {
    const x = b.any(all, 1, 4, full);
    return args(ref(x), b.indices(x.tensor.shape.slice(0, -1), x.tensor.shape[x.tensor.rank - 1]));
  },
  crossEntropy: (b) => {
    const x = b.float(1, 4, full);
    return args(ref(x), b.indices(x.tensor.shape.slice(0, -1), x.tensor.shape[x.tensor.rank - 1]));
  },
};
