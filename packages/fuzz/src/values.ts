import { type DType, specialFloats } from "./internals.ts";
import type { Random } from "./random.ts";

/** Kinds of input numbers: small integers, whose sums are exact; usual ones; and difficult floating-point values. */
export type Flavour = "whole" | "usual" | "special";

/** Zeros occur more often: signs of zero are easily lost. */
const floats = [0, -0, 0, -0, 1e20, -1e30, ...specialFloats(0)].map(Math.fround);
const integers = [
  0, 1, -1, 2, -2, 7, -7, 31, 32, 33, 255, 256, 65535, 2147483647, -2147483648, -2147483647, 1000003,
];

function element(r: Random, dtype: DType, flavour: Flavour): number {
  if (dtype === "bool") return r.whole(0, 1);
  if (dtype === "f32") {
    if (flavour === "whole") return r.whole(-3, 3);
    if (flavour === "usual") return Math.fround(r.between(-2, 2));
    return r.chance(0.6) ? r.pick(floats) : Math.fround(r.between(-3, 3));
  }
  const special = flavour === "special" && r.chance(0.4);
  if (dtype === "u8") return special ? r.pick([0, 1, 127, 128, 254, 255]) : r.whole(0, 9);
  if (dtype === "u32") return special ? r.pick(integers) >>> 0 : r.whole(0, 6);
  return special ? r.pick(integers) : r.whole(-4, 6);
}

/** Elements for a tensor; sometimes all are equal, or nearly all zero. */
export function elements(r: Random, count: number, dtype: DType, flavour: Flavour): number[] {
  const kind = r.next();
  const one = element(r, dtype, flavour);
  if (kind < 0.05) return new Array<number>(count).fill(one);
  // Some special values among usual ones: a NaN in a long row, an infinity at its end.
  const rare = flavour === "special" && r.chance(0.5);
  return Array.from({ length: count }, () => {
    if (kind > 0.95 && r.chance(0.8)) return 0;
    return rare && r.chance(0.95) ? element(r, dtype, "usual") : element(r, dtype, flavour);
  });
}
