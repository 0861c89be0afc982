import type { IndirectReads, Leaves, Views } from "../primitives.ts";
import { type Shape, sizeOf, stridesOf } from "../shape.ts";
import type { Evaluators } from "./evaluator.ts";

/** Calls `f(position in the result, coordinates)` for every element, in row-major order. */
export function forEachIndex(shape: Shape, f: (at: number, index: readonly number[]) => void): void {
  const n = sizeOf(shape);
  const index = new Array<number>(shape.length).fill(0);
  for (let i = 0; i < n; i++) {
    f(i, index);
    for (let a = shape.length - 1; a >= 0; a--) {
      if (++index[a] < shape[a]) break;
      index[a] = 0;
    }
  }
}

const offset = (index: readonly number[], strides: readonly number[]) =>
  index.reduce((n, v, a) => n + v * strides[a], 0);
const clamp = (v: number, low: number, high: number) => Math.min(high, Math.max(low, v));

type Movement =
  | keyof (Leaves & Views & IndirectReads)
  | ("pad" | "concat" | "overlapAdd" | "scatterAdd" | "scatter" | "dynamicUpdate");

export const movement: Evaluators<Movement> = {
  constant: (_, { value }, out) => {
    out.fill(value);
  },
  iota: (_, { axis }, out, shape) => {
    forEachIndex(shape, (i, index) => {
      out[i] = index[axis];
    });
  },
  reshape: ([x], _, out) => out.set(x.data),
  identity: ([x], _, out) => out.set(x.data),
  stopGradient: ([x], _, out) => out.set(x.data),
  custom: ([y], _, out) => out.set(y.data),
  broadcast: ([x], _, out, shape) => {
    if (x.data.length === 1) {
      out.fill(x.data[0]);
      return;
    }
    const strides = stridesOf(x.shape).map((s, a) => (x.shape[a] === 1 ? 0 : s));
    forEachIndex(shape, (i, index) => {
      out[i] = x.data[offset(index, strides)];
    });
  },
  permute: ([x], { axes }, out, shape) => {
    const strides = stridesOf(x.shape);
    const order = axes.map((a) => strides[a]);
    forEachIndex(shape, (i, index) => {
      out[i] = x.data[offset(index, order)];
    });
  },
  slice: ([x], { begin, step }, out, shape) => {
    const strides = stridesOf(x.shape);
    forEachIndex(shape, (i, index) => {
      out[i] = x.data[index.reduce((n, v, a) => n + (begin[a] + v * step[a]) * strides[a], 0)];
    });
  },
  pad: ([x], { low, value }, out, shape) => {
    out.fill(value);
    const strides = stridesOf(shape);
    forEachIndex(x.shape, (i, index) => {
      out[index.reduce((n, v, a) => n + (v + low[a]) * strides[a], 0)] = x.data[i];
    });
  },
  concat: (inputs, { axis }, out, shape) => {
    const strides = stridesOf(shape);
    let start = 0;
    for (const x of inputs) {
      forEachIndex(x.shape, (i, index) => {
        out[offset(index, strides) + start * strides[axis]] = x.data[i];
      });
      start += x.shape[axis];
    }
  },
  windows: ([x], { axis: a, stride, dilation }, out, shape) => {
    const strides = stridesOf(x.shape);
    const s = [...strides.slice(0, a), strides[a] * stride, strides[a] * dilation, ...strides.slice(a + 1)];
    forEachIndex(shape, (i, index) => {
      out[i] = x.data[offset(index, s)];
    });
  },
  overlapAdd: ([x], { axis: a, stride, dilation }, out, shape) => {
    const strides = stridesOf(shape);
    const s = [...strides.slice(0, a), strides[a] * stride, strides[a] * dilation, ...strides.slice(a + 1)];
    forEachIndex(x.shape, (i, index) => {
      out[offset(index, s)] += x.data[i];
    });
  },
  gather: ([x, indices], { axis: a }, out, shape) => {
    const strides = stridesOf(x.shape);
    forEachIndex(shape, (i, index) => {
      const at = clamp(indices.data[i], 0, x.shape[a] - 1);
      out[i] = x.data[offset(index, strides) + (at - index[a]) * strides[a]];
    });
  },
  scatterAdd: ([indices, source], { axis: a, size }, out, shape) => {
    const strides = stridesOf(shape);
    forEachIndex(source.shape, (i, index) => {
      const at = clamp(indices.data[i], 0, size - 1);
      out[offset(index, strides) + (at - index[a]) * strides[a]] += source.data[i];
    });
  },
  scatter: ([x, indices, source], { axis: a }, out, shape) => {
    const strides = stridesOf(shape);
    out.set(x.data);
    forEachIndex(source.shape, (i, index) => {
      const at = clamp(indices.data[i], 0, shape[a] - 1);
      out[offset(index, strides) + (at - index[a]) * strides[a]] = source.data[i];
    });
  },
  dynamicSlice: ([x, start], { axis: a, size }, out, shape) => {
    const strides = stridesOf(x.shape);
    const from = clamp(start.data[0], 0, x.shape[a] - size);
    forEachIndex(shape, (i, index) => {
      out[i] = x.data[offset(index, strides) + from * strides[a]];
    });
  },
  dynamicUpdate: ([x, update, start], { axis: a }, out, shape) => {
    const strides = stridesOf(shape);
    out.set(x.data);
    const from = clamp(start.data[0], 0, shape[a] - update.shape[a]);
    forEachIndex(update.shape, (i, index) => {
      out[offset(index, strides) + from * strides[a]] = update.data[i];
    });
  },
};
