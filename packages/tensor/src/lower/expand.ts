import { apply } from "../apply.ts";
import { Graph, type Node, tracing } from "../graph.ts";
import { needed } from "../reference/interpret.ts";
import { Tensor } from "../tensor.ts";
import { choice, oneAdded, position } from "./choices.ts";
import type { LoweringOptions } from "./draft.ts";
import type { Expansion } from "./expansion.ts";
import { longPosition } from "./long-extremes.ts";
import { splitSum } from "./split-sums.ts";
import { addedProduct, thinProduct } from "./thin-products.ts";

type Target = Pick<LoweringOptions, "fast" | "schedule">;

/** The expansion of an operation; undefined if it is better left as it is. `uses` counts the readers of a node. */
function expansionOf(
  node: Node,
  uses: (n: Node) => number,
  { fast, schedule }: Target,
): Expansion | undefined {
  switch (node.op) {
    case "sum":
      return fast ? splitSum(node) : undefined;
    case "matmul":
      return thinProduct(node);
    case "add":
      return addedProduct(node, uses);
    case "argmax":
    case "argmin":
      return position(node) ?? (schedule === "grid" ? longPosition(node) : undefined);
    case "gather":
      return choice(node);
    case "scatterAdd":
      // A long axis is that of a vocabulary: its row of zeros would be written, and read by the loss.
      return oneAdded(node, fast === true);
    default:
      return undefined;
  }
}

/**
 * The same function with some operations expanded into others. An operation with a dedicated kernel ends a group; over a few
 * elements, elementwise operations and sums do the same work inside one.
 */
export function expand(
  graph: Graph,
  outputs: readonly Node[],
  target: Target,
): { graph: Graph; of: (n: Node) => Node } {
  const nodes = needed(graph, outputs);
  const counts = new Map<Node, number>();
  const use = (n: Node) => counts.set(n, (counts.get(n) ?? 0) + 1);
  for (const n of nodes) n.inputs.forEach(use);
  outputs.forEach(use);
  const found = new Map<Node, Expansion>();
  for (const n of nodes) {
    const e = expansionOf(n, (x) => counts.get(x) ?? 0, target);
    if (e) found.set(n, e);
  }
  if (found.size === 0) return { graph, of: (n) => n };

  const from = (n: Node) => found.get(n)?.from ?? n.inputs;
  const wanted = new Set(outputs);
  for (const n of [...nodes].reverse()) if (wanted.has(n)) for (const i of from(n)) wanted.add(i);
  const next = new Graph();
  const values = new Map<Node, Tensor>();
  for (const n of graph.inputs) values.set(n, new Tensor(next.input(n.shape, n.dtype)));
  tracing(next, () => {
    for (const n of nodes) {
      if (values.has(n) || !wanted.has(n)) continue;
      const inputs = from(n).map((i) => values.get(i)!);
      values.set(n, found.get(n)?.write(...inputs) ?? apply(n.op, inputs, n.attributes, n.shape, n.dtype));
    }
  });
  return { graph: next, of: (n) => values.get(n)!.node! };
}
