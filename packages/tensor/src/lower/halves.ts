import type { Graph, Node, Op } from "../graph.ts";
import { sizeOf } from "../shape.ts";
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

/** Elements from which an activation takes time to read and write, and the width of one: heads with few outputs stay in f32. */
const large = 2 ** 16;
const wide = 64;

/**
 * Whether a unit may read an activation in bf16, as it is passed from one operation to the next in PyTorch. What sums over it reads f32:
 * residual streams before their normalisation, and logits; so does what writes results, among them weights and sums of their gradients.
 */
const passesOn = (unit: Unit, results: ReadonlySet<Node>) =>
  unit.kind === "group"
    ? unit.reduced === undefined && !unit.nodes.some((n) => results.has(n))
    : unit.nodes[0].op === "concat" && !results.has(unit.nodes[0]);

/**
 * Nodes that are stored as bf16: those that only products read, whose operands are rounded to bf16 in any case, and activations on their
 * way to elementwise operations.
 */
export function halvesOf(graph: Graph, fusion: Fusion, { epilogues }: Epilogues): Node[] {
  /** Values of the width of a layer: products, and what is computed from them element by element. */
  const products = new Set(
    [...fusion.stored].filter(
      (n) => n.op === "matmul" && sizeOf(n.shape) >= large && (n.shape.at(-1) ?? 0) >= wide,
    ),
  );
  const from = new Map<Unit | undefined, number>();
  for (const n of products) for (const u of fusion.readers.get(n) ?? []) from.set(u, sizeOf(n.shape));
  const isActivation = (n: Node) =>
    products.has(n) || ((n.shape.at(-1) ?? 0) >= wide && from.get(fusion.unitOf.get(n)) === sizeOf(n.shape));
  const results = new Set(fusion.results);
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
      [...readers].every((u) => multiplies(u, n, fusion) || (isActivation(n) && passesOn(u, results)))
    );
  });
}
