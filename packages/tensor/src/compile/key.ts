import type { Graph, Node } from "../graph.ts";
import type { Traced } from "./specialise.ts";

/** A text of everything that the code for a traced function depends on: equal texts compile to the same program. */
export function graphKey(traced: Traced, settings: readonly unknown[]): string {
  return JSON.stringify([settings, traced.aliases, traced.outputs.map((n) => n.id), graphText(traced.graph)]);
}

function graphText(graph: Graph): unknown[] {
  return graph.nodes.map((n) => [n.op, n.dtype, n.shape, n.inputs.map((i) => i.id), attributesText(n)]);
}

/** Attributes that change the code; the rule of a custom gradient does not. */
function attributesText(node: Node): unknown[] {
  if (node.op === "custom" || node.op === "identity") return [];
  if (node.op === "scan") {
    const b = node.attributes.body;
    const ids = [b.carryIn, b.xIn, b.constIn, b.carryOut, b.yOut].map((list) => list.map((n) => n.id));
    return [ids, b.length, b.reverse, b.counted, b.together ?? false, graphText(b.graph)];
  }
  // JSON has no infinities, NaN or -0.
  return Object.entries(node.attributes).map(([k, v]) => [
    k,
    typeof v === "number" ? (Object.is(v, -0) ? "-0" : String(v)) : v,
  ]);
}
