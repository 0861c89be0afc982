import { gradientNorm, type Live } from "@reins/core";
import { div, minimum, mul, type Tensor, type Tree, treeMap } from "@reins/tensor";

/** A gradient brought to at most a length, and how long it was. A limit of Infinity costs nothing. */
export function shortened<T extends Tree>(
  gradient: T,
  limit: Live,
): { gradient: T; metrics: { readonly [name: string]: Tensor } } {
  if (limit.setting === Number.POSITIVE_INFINITY) return { gradient, metrics: {} };
  const norm = gradientNorm(gradient);
  const scale = minimum(div(limit.tensor, norm.add(1e-6)), 1);
  return { gradient: treeMap((g) => mul(g, scale), gradient), metrics: { "gradient/norm": norm } };
}
