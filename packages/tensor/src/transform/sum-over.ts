import { fail } from "../errors.ts";
import { currentGraph } from "../graph.ts";
import { add, bitcast, eq, mul, where } from "../ops/arithmetic.ts";
import { broadcastTo, concat, reshape, slice } from "../ops/movement.ts";
import { max, sum } from "../ops/reduce.ts";
import { show, sizeOf } from "../shape.ts";
import { leaves, type Tree, treeMap, unflattenTree } from "../tree.ts";
import { customGradient } from "./custom.ts";
import { scan, tracedScan } from "./scan.ts";

/**
 * The sum of `fn(x)` over the elements `x` of the first axis of `xs`, added in their order. A CPU computes one element after the other,
 * so that their intermediates share memory and cache; a GPU computes all elements at once, with the same bits. Differentiable.
 *
 *     sumOver((x: Tensor) => x.mul(x), tensor([1, 2, 3])).item(); // 14
 */
export function sumOver<X extends Tree, R extends Tree>(fn: (x: X) => R, xs: X): R {
  const length = leaves(xs)[0]?.shape[0] ?? fail("sumOver", "needs xs with a first axis.");
  for (const { shape } of leaves(xs))
    if (shape[0] !== length)
      fail("sumOver", `xs ${show(shape)} do not have ${length} elements on their first axis.`);
  if (length === 0) fail("sumOver", "needs at least one element on the first axis of xs.");
  if (currentGraph()?.device) {
    const each = (_: undefined, x: X) => [undefined, fn(x)] as const;
    return sumOfAll(tracedScan(each, undefined, xs, length, { together: true }).ys, length);
  }
  const first = fn(treeMap((t) => reshape(slice(t, [[0, 1]]), t.shape.slice(1)), xs));
  if (length === 1) return first;
  const rest = treeMap((t) => slice(t, [[1, length]]), xs);
  return scan((total: R, x: X) => [treeMap(add, total, fn(x)), undefined] as const, first, rest).carry;
}

/** The sums over the first axis. Leaves in f32 are joined, so that all are one sum. */
function sumOfAll<R extends Tree>(stacked: R, length: number): R {
  const list = leaves(stacked);
  const floats = list.filter((t) => t.dtype === "f32").map((t) => reshape(t, [length, -1]));
  const total = floats.length === 0 ? undefined : sumInOrder(concat(floats, 1));
  let at = 0;
  return unflattenTree(
    stacked,
    list.map((t) => {
      // Integers have the same sum in any order.
      if (t.dtype !== "f32") return sum(t, 0);
      const [from, shape] = [at, t.shape.slice(1)];
      at += sizeOf(shape);
      return reshape(slice(total!, [[from, at]]), shape);
    }),
  );
}

/** Columns from which a compiled sum over rows adds them one after the other; fewer are summed in lanes. */
const fewestColumns = 16;
/** The bits of -0 as an integer: the smallest one. */
const negativeZero = -(2 ** 31);

/** The sum of the rows of a matrix that is in memory: first + second + third …, bit for bit. */
const sumInOrder = customGradient(
  (x) => {
    const [rows, columns] = x.shape;
    const few = columns < fewestColumns;
    const wide = few ? broadcastTo(reshape(x, [rows, 1, columns]), [rows, fewestColumns, columns]) : x;
    const total = sum(wide, 0);
    // A compiled sum begins with 0, but the sum of negative zeros alone is negative.
    const result = where(eq(max(bitcast(wide, "i32"), 0), negativeZero), mul(total, -1), total);
    return few ? reshape(slice(result, [[0, 1]]), [columns]) : result;
  },
  (g, _, x) => [broadcastTo(g, x.shape)],
);
