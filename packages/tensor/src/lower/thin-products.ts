import { apply } from "../apply.ts";
import type { Node, NodeOf } from "../graph.ts";
import { add, eq, mul, where } from "../ops/arithmetic.ts";
import { broadcastTo, full, iota, slice, transpose } from "../ops/movement.ts";
import { sum } from "../ops/reduce.ts";
import type { Tensor } from "../tensor.ts";
import type { Expansion } from "./expansion.ts";
import { computed, layoutOf } from "./strided-view.ts";
import { longestShort } from "./unit.ts";

/** Maximum elements of the thin operand, which every row reads again: it should stay in the L1 cache beside the row. */
const nearby = 4096;
/** Maximum sums side by side. With eight, tiles were as fast: 64×64·64×8 after a tanh took 38 µs either way. */
const mostSums = 6;

/**
 * A matrix product with a short side, as a part of the surrounding groups. Tiles of the general product would be mostly empty, and
 * its operands and result would go through memory.
 */
export function thinProduct(node: NodeOf<"matmul">): Expansion | undefined {
  const [a, b] = node.inputs;
  const [m, n, k] = sizesOf(node);
  const write = (f: (x: Tensor, y: Tensor) => Tensor) => ({ from: node.inputs, write: f });
  if (m === 0 || n === 0 || k === 0) return undefined;
  if (isShortInside(node)) return write((x, y) => terms(x, packed(y, b, 0, m)));
  const [left, right] = [layoutOf(a), layoutOf(b)];
  if (n <= (m < longestShort ? 4 : mostSums) && k * n <= nearby && computed(left.base)) {
    if (left.strides[1] === 1) return write((x, y) => rowSums(x, packed(transpose(y), b, 1, m)));
    if (left.strides[0] === 1) return write((x, y) => columnSums(transpose(x), y, -1));
  }
  if (m <= 4 && m * n <= nearby && k >= 2 * longestShort && computed(right.base) && right.strides[1] === 1)
    return write((x, y) => columnSums(y, transpose(x), -2));
  return undefined;
}

/** A short product plus a term such as a bias: its products are added to that term. */
export function addedProduct(node: NodeOf<"add">, uses: (n: Node) => number): Expansion | undefined {
  const at = node.inputs.findIndex((x) => x.op === "matmul" && uses(x) === 1 && isShortInside(x));
  if (at < 0) return undefined;
  const product = node.inputs[at];
  const [a, b] = product.inputs;
  const [m] = sizesOf(product);
  const start = node.inputs[1 - at];
  const row = start.op === "broadcast" ? start.inputs[0] : start;
  return {
    from: [a, b, row],
    // A sum starts at 0, also if its first term is a negative zero. The bias is normalised once, not in every row.
    write: (x, y, bias) => terms(x, packed(y, b, 0, m), broadcastTo(add(bias, 0), start.shape)),
  };
}

const sizesOf = ({ shape, inputs: [a] }: Node) => [...shape.slice(-2), a.shape[a.shape.length - 1]];

/** Whether each element is the sum of a few products. */
function isShortInside(product: Node): boolean {
  const [m, n, k] = sizesOf(product);
  if (m === 0 || n === 0 || k === 0 || k > longestShort || k * n > nearby) return false;
  // Strided elements are loaded one by one; with few rows a copy does not pay off.
  return k <= 4 || m >= longestShort || layoutOf(product.inputs[1]).strides[1] === 1;
}

/** A few products added up, element by element. They start at 0, like every sum: the sum of negative zeros is zero. */
function terms(a: Tensor, b: Tensor, start?: Tensor): Tensor {
  const shape = [...a.shape.slice(0, -1), b.shape[b.rank - 1]];
  const right = rows(b);
  return columns(a).reduce((total, column, p) => {
    const [x, y] = [broadcastTo(column, shape), broadcastTo(right[p], shape)];
    return apply("fma", [total, x, y], {}, shape, "f32");
  }, start ?? full(shape, 0));
}

/** A sum over each row of `a` for each row of `b`. */
function rowSums(a: Tensor, b: Tensor): Tensor {
  return join(
    rows(b).map((row) => sum(mul(a, broadcastTo(row, a.shape)), { axis: -1, keepDims: true })),
    -1,
  );
}

/** A sum over each column of `a` for each column of `b`; they become rows (axis -2) or columns (-1) of the result. */
function columnSums(a: Tensor, b: Tensor, axis: -1 | -2): Tensor {
  const parts = columns(b).map((column) =>
    sum(mul(a, broadcastTo(column, a.shape)), { axis: -2, keepDims: true }),
  );
  return join(axis === -2 ? parts : parts.map((p) => transpose(p)), axis);
}

/** Parts of extent 1 side by side. A kernel that unrolls the axis reads each in place, without a copy. */
function join(parts: readonly Tensor[], axis: -1 | -2): Tensor {
  const [first] = parts;
  const shape = first.shape.map((d, i) => (i === first.rank + axis ? parts.length : d));
  const at = iota(shape, axis);
  return parts.map((p) => broadcastTo(p, shape)).reduceRight((rest, p, i) => where(eq(at, i), p, rest));
}

const cut = (x: Tensor, axis: number): Tensor[] =>
  Array.from({ length: x.shape[axis] }, (_, p) =>
    slice(
      x,
      x.shape.map((_, i) => (i === axis ? ([p, p + 1] as const) : null)),
    ),
  );
const rows = (x: Tensor) => cut(x, x.rank - 2);
const columns = (x: Tensor) => cut(x, x.rank - 1);

/** `view`, with its last axis contiguous in memory if many rows read it. In the product's right operand that is axis 0 or 1 of the last two. */
function packed(view: Tensor, operand: Node, along: 0 | 1, rows: number): Tensor {
  const { strides } = layoutOf(operand);
  const adjacent = strides[along === 0 ? 1 : 0] === 1;
  if (adjacent || rows < longestShort || view.shape[view.rank - 1] < 4) return view;
  return apply("copy", [view], {}, view.shape, view.dtype);
}
