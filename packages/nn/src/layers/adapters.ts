import { add, concat, div, lt, matmul, random, type Tensor, where, zeros } from "@reins/tensor";
import { fail } from "../errors.ts";

/** A low-rank update (Hu et al., 2021): the product of `down` [inputs, rank] and `up` [rank, columns] is added to columns of a weight. */
export type AdapterParams = {
  down: Tensor;
  up: Tensor;
  /** Dropout of the input while training: each element stays with probability `keep`, drawn from `key`, and is divided by it. */
  dropout?: { key: Tensor; keep: Tensor };
};

/** Adapters by the first column that each updates: a fused weight has one for each of its modules. They must not overlap. */
export type ColumnAdapters = { [column: string]: AdapterParams };

/** `y`, the product of `x` with a weight, plus the product of `x` with the weight's adapters. */
export const adapted = (y: Tensor, x: Tensor, adapters: ColumnAdapters): Tensor =>
  // In two products through the rank: the product of the factors, as large as the weight, is never computed.
  add(
    y,
    sideBySide(adapters, y.shape[y.rank - 1], ({ down, up, dropout }) =>
      matmul(matmul(dropped(x, dropout), down), up),
    ),
  );

function dropped(x: Tensor, dropout: AdapterParams["dropout"]): Tensor {
  if (!dropout) return x;
  const { key, keep } = dropout;
  return where(lt(random.uniform(key, x.shape), keep), div(x, keep), 0);
}

/** A weight into which its adapters are merged. */
export const mergeAdapters = (weight: Tensor, adapters: ColumnAdapters): Tensor =>
  add(
    weight,
    sideBySide(adapters, weight.shape[1], ({ down, up }) => matmul(down, up)),
  );

/** The product of each adapter in its own columns, and 0 in the columns that no adapter updates. */
function sideBySide(
  adapters: ColumnAdapters,
  columns: number,
  product: (adapter: AdapterParams) => Tensor,
): Tensor {
  const parts: Tensor[] = [];
  let [next, rows]: [number, readonly number[]] = [0, []];
  const fillTo = (column: number) => {
    if (column > next) parts.push(zeros([...rows, column - next]));
    next = column;
  };
  // Integer keys are enumerated in ascending order.
  for (const [key, adapter] of Object.entries(adapters)) {
    const [first, width] = [Number(key), adapter.up.shape[1]];
    if (!(first >= next && first + width <= columns))
      fail(
        "linear",
        `the adapter at column ${key} has ${width} outputs; it must fit into ${next} to ${columns}.`,
      );
    const part = product(adapter);
    rows = part.shape.slice(0, -1);
    fillTo(first);
    parts.push(part);
    next += width;
  }
  fillTo(columns);
  return parts.length === 1 ? parts[0] : concat(parts, -1);
}
