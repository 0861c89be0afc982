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

/** What is pruned: matrices. Biases and norms are few, and much hangs on each. */
const prunable = (p: Tensor) => p.rank > 1;

/** Halvings of the interval that the threshold lies in: as many as a float has digits. */
const halvings = 24;

/**
 * Parameters of which a share is 0: the entries of all matrices together that are nearest to 0 (Han et al., 2015). `sparse` keeps them
 * there while others learn.
 */
export function prune<T extends Tree>(params: T, share: TensorLike): T {
  const sizes = concat(
    leaves(params)
      .filter(prunable)
      .map((p) => reshape(abs(p), [-1])),
  );
  const most = mul(share, sizes.shape[0]);
  // Counting is much cheaper than sorting: at most so many entries are as small as the lower end, or all are 0.
  const halve = ({ low, high }: { low: Tensor; high: Tensor }) => {
    const middle = mul(add(low, high), 0.5);
    const few = le(sum(cast(le(sizes, middle), "f32")), most);
    return [{ low: where(few, middle, low), high: where(few, high, middle) }, {}] as const;
  };
  // Nothing is below 0, and everything below twice the largest.
  const first = { low: scalar(-1e-30), high: mul(max(sizes), 2) };
  const { low } = scan(halve, first, {}, { length: halvings }).carry;
  return treeMap((p) => (prunable(p) ? where(le(abs(p), low), 0, p) : p), params);
}

/** The share of the entries of all matrices that are 0. */
export function sparsity(params: Tree): Tensor {
  const matrices = leaves(params).filter(prunable);
  const size = matrices.reduce((n, p) => n + p.size, 0);
  return matrices
    .map((p) => sum(cast(eq(p, 0), "f32")))
    .reduce((a, b) => add(a, b))
    .mul(1 / size);
}
