import { fail } from "../errors.ts";
import { currentGraph, Graph, tracing } from "../graph.ts";
import type { Shape } from "../shape.ts";
import { Tensor } from "../tensor.ts";

/**
 * The shape of what a function gives. It is traced and nothing is computed, so that this costs little however much the function does.
 *
 *     shapeOf(() => matmul(zeros([2, 3]), zeros([3, 5]))); // [2, 5]
 */
export function shapeOf(fn: () => Tensor): Shape {
  return tracing(new Graph(currentGraph()), () => {
    const result: unknown = fn();
    return result instanceof Tensor
      ? result.shape
      : fail("shapeOf", `the function gives ${typeof result}, not a Tensor.`);
  });
}
