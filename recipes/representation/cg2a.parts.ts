import {
  abs,
  add,
  div,
  leaves,
  maximum,
  mul,
  sign,
  sqrt,
  square,
  sum,
  type Tensor,
  type Tree,
  unflattenTree,
} from "@reins/tensor";

/** The mean of gradients. */
export function meanGradient(gradients: readonly Tree[]): Tree {
  const parts = gradients.map((g) => leaves(g));
  const means = parts[0].map((_, k) => mul(total(parts.map((g) => g[k])), 1 / parts.length));
  return unflattenTree(gradients[0], means);
}

/**
 * Combines several gradients that differ in norm and partly conflict. All are rescaled to their mean norm; each is
 * weighted by its agreement with the sum, w_i = |g_i · Σ g_j| / Σ_k |g_k · Σ g_j| (Eshratifar et al., 2018); and
 * coordinates whose signs disagree are damped by |Σ sign(g_i)| / n, rather than set to 0 as in Liu et al. (2023).
 */
export function agreementGradient(gradients: readonly Tree[]): Tree {
  const parts = gradients.map((g) => leaves(g));
  const dot = (a: readonly Tensor[], b: readonly Tensor[]) => total(a.map((x, k) => sum(mul(x, b[k]))));
  const lengths = parts.map((g) => sqrt(total(g.map((x) => sum(square(x))))));
  const usual = mul(total(lengths), 1 / parts.length);
  const even = parts.map((g, i) => g.map((x) => mul(x, div(usual, maximum(lengths[i], tiny)))));
  const all = even[0].map((_, k) => total(even.map((g) => g[k])));
  const agreements = even.map((g) => abs(dot(g, all)));
  const whole = maximum(total(agreements), tiny);
  const joined = even[0].map((_, k) => {
    const here = even.map((g) => g[k]);
    const weighted = total(here.map((x, i) => mul(x, div(agreements[i], whole))));
    return mul(weighted, mul(abs(total(here.map((x) => sign(x)))), 1 / parts.length));
  });
  return unflattenTree(gradients[0], joined);
}

const tiny = 1e-12;
const total = (all: readonly Tensor[]): Tensor => all.reduce((a, b) => add(a, b));
