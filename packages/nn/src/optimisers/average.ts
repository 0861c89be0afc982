import { add, mul, sub, type TensorLike, type Tree, treeMap } from "@reins/tensor";

/**
 * Polyak averaging: moves `target` by the fraction `rate` towards `online`. Target networks use 0.005; weight averaging uses
 * 0.001 to 0.01. 1 copies.
 */
export function polyak<T extends Tree>(target: T, online: T, rate: TensorLike): T {
  return treeMap((t, o) => (t.dtype === "f32" ? add(t, mul(sub(o, t), rate)) : o), target, online);
}
