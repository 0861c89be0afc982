import type { DType } from "./dtype.ts";
import { currentGraph, type Node, type Op, type Primitives } from "./graph.ts";
import { evaluate } from "./reference/evaluate.ts";
import type { Shape } from "./shape.ts";
import { nodeIn, Storage, Tensor } from "./tensor.ts";

/**
 * The entry point of every operation. While a function is traced, it adds a node; otherwise the reference
 * implementation computes the result immediately. Callers check the arguments and infer the result's shape and type.
 */
export function apply<K extends Op>(
  op: K,
  inputs: readonly Tensor[],
  attributes: Primitives[K],
  shape: Shape,
  dtype: DType,
): Tensor {
  const graph = currentGraph();
  if (graph) {
    const nodes: Node[] = [];
    for (const t of inputs) nodes.push(t.node?.graph === graph ? t.node : nodeIn(graph, t, op));
    return new Tensor(graph.add(op, nodes, attributes, shape, dtype));
  }
  const arrays = inputs.map((t) => {
    const storage = t.storage ?? t.refuse(op);
    return { data: storage.values, shape: t.shape, dtype: t.dtype };
  });
  return new Tensor(new Storage(dtype, evaluate(op, arrays, attributes, shape, dtype)), shape);
}
