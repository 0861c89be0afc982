import {
  add,
  cast,
  cumsum,
  customGradient,
  div,
  grad,
  iota,
  mul,
  pad,
  reshape,
  scan,
  scatter,
  slice,
  sub,
  sum,
  type Tensor,
  type Tree,
  take,
  treeMap,
  where,
  zeros,
  zerosLike,
} from "@reins/tensor";

/** Rows that are computed in blocks. */
export interface Rows<B extends Tree = Tree> {
  /** Input of the output layer, [rows, width]. */
  readonly hidden: Tensor;
  /** Rows to compute, bool [rows] (default: all). The others get 0 and cost nothing beyond partial blocks. */
  readonly needed?: Tensor;
  /** Further inputs, one entry per row, [rows, …]. They get no gradient. */
  readonly beside: B;
  /** Weight of the output layer, where it is trained. */
  readonly weight?: Tensor;
}

/**
 * `count` numbers for each row, each [rows], in blocks of rows: logits of a large vocabulary take more memory than the
 * model. `compute` returns those of a block, [count, block]; blocks are recomputed in the backward pass. Needed rows
 * come first, so that blocks without any are skipped.
 */
export function inBlocks<B extends Tree>(
  rows: Rows<B>,
  { count, block }: { readonly count: number; readonly block: number },
  compute: (hidden: Tensor, beside: B, weight: Tensor | undefined) => Tensor,
): Tensor[] {
  const { needed } = rows;
  const [size] = rows.hidden.shape;
  const order = needed && neededFirst(needed);
  const blocks = Math.ceil(size / block);
  const cut = (t: Tensor) => {
    const sorted = order ? take(t, order.order) : t;
    const missing = blocks * block - size;
    const full = missing
      ? pad(sorted, [[0, missing], ...t.shape.slice(1).map((): [number, number] => [0, 0])])
      : sorted;
    return reshape(full, [blocks, block, ...t.shape.slice(1)]);
  };
  const beside = treeMap(cut, rows.beside) as B;
  const runs = order && { count: div(add(order.count, block - 1), block) };
  const own = (weight: Tensor) => rows.weight && weight;
  const score = customGradient(
    (hidden: Tensor, weight: Tensor) =>
      scan(
        (carry: undefined, x: { hidden: Tensor; beside: B }) =>
          [carry, compute(x.hidden, x.beside, own(weight))] as const,
        undefined,
        { hidden, beside },
        runs,
      ).ys,
    (g, _, hidden, weight) => {
      const back = scan(
        (total: Tensor | undefined, x: { hidden: Tensor; beside: B; g: Tensor }) => {
          const value = (v: { hidden: Tensor; weight?: Tensor }) =>
            sum(mul(compute(v.hidden, x.beside, v.weight), x.g));
          const gradient = grad(value)({ hidden: x.hidden, ...(total ? { weight } : {}) });
          return [total && gradient.weight ? add(total, gradient.weight) : total, gradient.hidden] as const;
        },
        rows.weight ? zerosLike(weight) : undefined,
        { hidden, beside, g },
        runs,
      );
      return [back.ys, back.carry ?? null];
    },
  );
  const found = score(cut(rows.hidden), rows.weight ?? zeros([1]));
  return Array.from({ length: count }, (_, i): Tensor => {
    const flat = reshape(slice(found, [null, [i, i + 1]]), [blocks * block]);
    const all = order ? take(flat, order.places) : slice(flat, [[0, size]]);
    // The last computed block also holds rows that are not needed.
    return needed ? where(needed, all, 0) : all;
  });
}

/** The permutation that puts needed rows first, its inverse, and the number of needed rows. */
function neededFirst(needed: Tensor): { order: Tensor; places: Tensor; count: Tensor } {
  const [size] = needed.shape;
  const ones = cast(needed, "i32");
  const count = sum(ones);
  const before = cumsum(ones, 0);
  const others = add(count, sub(iota([size]), before));
  const places = where(needed, sub(before, 1), others);
  return { order: scatter(zeros([size], "i32"), places, iota([size]), 0), places, count };
}
