import { apply } from "../apply.ts";
import type { Graph, Node } from "../graph.ts";
import { needed } from "../reference/interpret.ts";
import type { Tensor } from "../tensor.ts";

/** Recomputes `outputs` of a traced graph from other inputs: in the graph being traced, or eagerly. */
export function replay(graph: Graph, outputs: readonly Node[], inputs: readonly Tensor[]): Tensor[] {
  const values = new Map<number, Tensor>();
  for (const node of needed(graph, outputs)) {
    if (node.op === "input") values.set(node.id, inputs[node.attributes.index]);
    else
      values.set(
        node.id,
        apply(
          node.op,
          node.inputs.map((n) => values.get(n.id)!),
          node.attributes,
          node.shape,
          node.dtype,
        ),
      );
  }
  return outputs.map((n) => values.get(n.id)!);
}
