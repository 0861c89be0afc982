import type { Graph, Node, Op } from "../graph.ts";
import type { Epilogues } from "./epilogues.ts";
import { flashOperands } from "./flash.ts";
import type { Fusion } from "./fuse.ts";
import type { Unit } from "./unit.ts";

/** Operations with dedicated kernels that write each element once. */
const dedicated: ReadonlySet<Op> = new Set<Op>(["concat", "pad", "matmul", "attend"]);

const writes = (unit: Unit) => unit.kind === "group" || dedicated.has(unit.nodes[0].op);
/** Whether a unit reads a node as an operand in bf16. */
function multiplies(unit: Unit, node: Node, fusion: Fusion): boolean {
  const [own] = unit.nodes;
  if (unit.kind !== "opaque") return false;
  return (
    own.op === "matmul" ||
    (own.op === "flash" && flashOperands(own, fusion).full.every((x) => x.base !== node))
  );
}

/**
 * Nodes that only products read, whose operands are rounded to bf16 in any case: stored as bf16 they take half the memory, and nothing else
 * changes.
 */
export function halvesOf(graph: Graph, fusion: Fusion, { epilogues }: Epilogues): Node[] {
  // A product adds its bias in f32.
  const kept = new Set([
    ...fusion.results,
    ...[...epilogues.values()].flatMap((e) => (e.bias ? [e.result] : [])),
  ]);
  return [...fusion.stored].filter((n) => {
    const unit = fusion.unitOf.get(n);
    const readers = fusion.readers.get(n);
    return (
      n.dtype === "f32" &&
      unit !== undefined &&
      writes(unit) &&
      !kept.has(n) &&
      !graph.inputs.includes(n) &&
      readers !== undefined &&
      readers.size > 0 &&
      [...readers].every((u) => multiplies(u, n, fusion))
    );
  });
}
