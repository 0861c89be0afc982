import {
  abs,
  add,
  cast,
  concat,
  eq,
  le,
  leaves,
  max,
  mul,
  reshape,
  scalar,
  scan,
  sum,
  type Tensor,
  type TensorLike,
  type Tree,
  treeMap,
  where,
} from "@reins/tensor";

/** Only matrices are pruned. Biases and norms have few entries, each of them important. */
const prunable = (p: Tensor) => p.rank > 1;

/** Bisection steps of the threshold: as many as a float has digits. */
const halvings = 24;

/**
 * Prunes a fraction of the parameters: the smallest entries by magnitude over all matrices become 0 (Han et al., 2015). `sparse` keeps
 * them at 0 during training.
 */
export function prune<T extends Tree>(params: T, share: TensorLike): T {
  const sizes = concat(
    leaves(params)
      .filter(prunable)
      .map((p) => reshape(abs(p), [-1])),
  );
  const most = mul(share, sizes.shape[0]);
  // Counting is much cheaper than sorting: at most the requested number of entries is below the lower end, unless all are 0.
  const halve = ({ low, high }: { low: Tensor; high: Tensor }) => {
    const middle = mul(add(low, high), 0.5);
    const few = le(sum(cast(le(sizes, middle), "f32")), most);
    return [{ low: where(few, middle, low), high: where(few, high, middle) }, {}] as const;
  };
  // No entry is below 0, and all are below twice the largest.
  const first = { low: scalar(-1e-30), high: mul(max(sizes), 2) };
  const { low } = scan(halve, first, {}, { length: halvings }).carry;
  return treeMap((p) => (prunable(p) ? where(le(abs(p), low), 0, p) : p), params);
}

/** The fraction of zero entries over all matrices. */
export function sparsity(params: Tree): Tensor {
  const matrices = leaves(params).filter(prunable);
  const size = matrices.reduce((n, p) => n + p.size, 0);
  return matrices
    .map((p) => sum(cast(eq(p, 0), "f32")))
    .reduce((a, b) => add(a, b))
    .mul(1 / size);
}
