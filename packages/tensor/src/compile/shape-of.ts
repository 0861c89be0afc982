import { fail } from "../errors.ts";
import { currentGraph, Graph, tracing } from "../graph.ts";
import type { Shape } from "../shape.ts";
import { Tensor } from "../tensor.ts";

/**
 * The shape of a function's result. The function is traced and nothing is computed, so that the cost is small.
 *
 *     shapeOf(() => matmul(zeros([2, 3]), zeros([3, 5]))); // [2, 5]
 */
export function shapeOf(fn: () => Tensor): Shape {
  return tracing(new Graph(currentGraph()), () => {
    const result: unknown = fn();
    return result instanceof Tensor
      ? result.shape
      : fail("shapeOf", `the function returns ${typeof result}, not a Tensor.`);
  });
}
