import type { Graph, Node } from "../graph.ts";
import { show, sizeOf } from "../shape.ts";
import { lowerColumns } from "./columns.ts";
import type { Draft, Spot } from "./draft.ts";
import { absorbReaders } from "./epilogues.ts";
import { expand } from "./expand.ts";
import { type Fusion, fuse } from "./fuse.ts";
import { halvesOf } from "./halves.ts";
import { type Destination, Level } from "./level.ts";
import { isOpaque, lowerOpaque } from "./opaque.ts";
import { placeResults } from "./results.ts";
import { lowerRows } from "./rows.ts";
import { lowerShort } from "./short-rows.ts";
import { isColumn, type Unit } from "./unit.ts";

/** Positions are 32-bit numbers. */
const mostElements = 2 ** 31 - 1;

/** Writes the steps that compute `wanted` of one graph (the function, or a loop's body) into the draft of a program. */
export function lowerGraph(
  traced: Graph,
  given: ReadonlyMap<Node, Spot>,
  wanted: readonly Destination[],
  draft: Draft,
): void {
  const { graph, of } = expand(
    traced,
    wanted.map((o) => o.node),
    draft.options,
  );
  const fusion = fuse(
    graph,
    wanted.map((o) => of(o.node)),
    draft.options.schedule === "grid" && !draft.options.fast,
  );
  refuseLarge(graph, fusion);
  const inputs = new Map([...given].map(([node, spot]) => [of(node), spot]));
  const level = new Level(graph, fusion, inputs, draft, (...body) => lowerGraph(...body, draft));
  const finish = placeResults(
    level,
    wanted.map((o) => o.spot),
  );
  const joined = absorbReaders(level);
  const { epilogues, absorbed } = joined;
  if (draft.options.fast) for (const node of halvesOf(graph, fusion, joined)) level.halve(node);
  for (const unit of fusion.units) {
    if (absorbed.has(unit)) continue;
    const [node] = unit.nodes;
    if (isEmpty(unit)) unit.nodes.forEach(level.spotOf);
    else if (unit.kind === "group") level.call(groupKernel(unit, fusion, draft.options.cost.sumsTogether));
    else if (isOpaque(node)) lowerOpaque(node, level, epilogues);
    else throw new Error(`internal: "${node.op}" has no kernel.`);
  }
  finish();
}

/** Nothing is computed. (A loop over nothing still returns its carry.) */
const isEmpty = (unit: Unit) => unit.nodes.every((n) => sizeOf(n.shape) === 0) && unit.nodes[0].op !== "scan";

function groupKernel(unit: Unit, fusion: Fusion, sumsTogether: number) {
  return (
    lowerShort(unit, fusion) ??
    (isColumn(unit) ? lowerColumns(unit, fusion) : lowerRows(unit, fusion, sumsTogether))
  );
}

function refuseLarge(graph: Graph, fusion: Fusion): void {
  for (const { shape } of [...graph.inputs, ...fusion.units.flatMap((u) => u.nodes)])
    if (sizeOf(shape) > mostElements)
      throw new RangeError(
        `A tensor of shape ${show(shape)} has more than 2³¹ - 1 elements. Process it in parts.`,
      );
}
