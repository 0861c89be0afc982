import { Graph, type Node, tracing } from "../graph.ts";
import { interpret } from "../reference/interpret.ts";
import type { Tensor } from "../tensor.ts";
import { leaves, type Tree, unflattenTree } from "../tree.ts";

/** Traces `body` with every tensor it uses captured, and computes its results with the reference back end. */
export function eagerTrace<R extends Tree>(body: () => R): R {
  const graph = new Graph();
  const result = tracing(graph, body);
  const outputs = leaves(result);
  const inputs = graph.captures.map((c) => (c.tensor as Tensor).data);
  const nodes = outputs.map((t) => (t.node?.graph === graph ? t.node : undefined));
  const values = interpret(
    graph,
    nodes.filter((n): n is Node => !!n),
    inputs,
  );
  let k = 0;
  return unflattenTree(
    result,
    outputs.map((t, i) => (nodes[i] ? values[k++] : t)),
  );
}
