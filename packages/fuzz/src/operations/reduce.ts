import { type Builder, ref } from "../builder.ts";
import type { DType } from "../internals.ts";
import type { Arg } from "../program.ts";
import { args, type Maker } from "./maker.ts";

const countable: readonly DType[] = ["f32", "i32", "u32"];

function axes(b: Builder, rank: number): Arg[] {
  const kind = b.r.next();
  if (kind < 0.2 || rank === 0) return [];
  if (kind < 0.4) return [b.r.whole(0, rank - 1)];
  const some = [...Array(rank).keys()].filter(() => b.r.chance(0.5));
  const axis = b.r.chance(0.6) || !some.length ? b.r.whole(-rank, rank - 1) : some;
  return [{ axis, keepDims: b.r.chance(0.6) }];
}

const reduction =
  (types: readonly DType[], least = 0): Maker =>
  (b) => {
    const x = b.any(types, least);
    return args(ref(x), ...axes(b, x.tensor.rank));
  };
const corrected: Maker = (b) => {
  const x = b.float(1);
  const axis = axes(b, x.tensor.rank);
  return args(ref(x), axis[0] ?? {}, b.r.whole(0, 1));
};
const along: Maker = (b) => {
  const x = b.any(countable, 1);
  return args(ref(x), b.axis(x.tensor));
};
const running: Maker = (b) => {
  const x = b.any(countable, 1);
  return args(ref(x), b.axis(x.tensor), b.r.chance(0.4));
};
const normal: Maker = (b) => {
  const x = b.float(1);
  return args(ref(x), b.axis(x.tensor));
};

export const tidyReductions: Readonly<Record<string, Maker>> = {
  sum: reduction(countable),
  max: reduction(countable),
  min: reduction(countable),
  argmax: along,
  argmin: along,
  cumsum: running,
};

export const reductions: Readonly<Record<string, Maker>> = {
  ...tidyReductions,
  prod: reduction(countable),
  cumprod: running,
  mean: reduction(["f32"]),
  norm: reduction(["f32"]),
  variance: corrected,
  std: corrected,
  softmax: normal,
  logSoftmax: normal,
  logSumExp: (b) => {
    const x = b.float(1);
    return args(ref(x), b.axis(x.tensor), b.r.chance(0.5));
  },
  mseLoss: (b) => {
    const x = b.float();
    return args(ref(x), b.beside(x.tensor));
  },
  bceWithLogits: (b) => {
    const x = b.float();
    return args(ref(x), b.beside(x.tensor));
  },
  layerNorm: (b) => {
    const x = b.float(1);
    const row = x.tensor.shape.slice(-1);
    const kind = b.r.next();
    if (kind < 0.3) return args(ref(x));
    const scale = ref(b.source(row, "f32"));
    return kind < 0.6 ? args(ref(x), scale) : args(ref(x), scale, ref(b.source(row, "f32")));
  },
  rmsNorm: (b) => {
    const x = b.float(1);
    return b.r.chance(0.4) ? args(ref(x)) : args(ref(x), ref(b.source(x.tensor.shape.slice(-1), "f32")));
  },
};
