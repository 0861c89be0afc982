import type { Graph, Node, NodeOf } from "../graph.ts";
import type { OpaqueOp } from "../primitives.ts";
import { needed } from "../reference/interpret.ts";
import { Grouping } from "./grouping.ts";
import { isComputed } from "./operations.ts";
import { Reading } from "./reading.ts";
import { sink } from "./sink.ts";
import { tails } from "./tails.ts";
import { type Traffic, trafficOf } from "./traffic.ts";
import type { Unit } from "./unit.ts";
import { Units } from "./units.ts";
import { isIndirect, isLeaf, isReduction, isView } from "./views.ts";

export interface Fusion {
  /** For each output, the node in memory that has its elements in order. */
  readonly results: readonly Node[];
  /** In a valid order of execution. */
  readonly units: readonly Unit[];
  readonly unitOf: ReadonlyMap<Node, Unit>;
  /** The node in memory that has exactly the elements of an argument of an opaque operation, in order. */
  contiguous(input: Node): Node;
  /** Nodes that other units, or the caller, read from memory. */
  readonly stored: ReadonlySet<Node>;
  /** The units that read each of them. */
  readonly readers: ReadonlyMap<Node, ReadonlySet<Unit>>;
}

/**
 * Groups the nodes that `outputs` need into kernels: greedily, then nodes move between groups, then groups are merged. In a grid, all threads
 * compute the terms of long sums.
 */
export function fuse(graph: Graph, outputs: readonly Node[], inGrid = false): Fusion {
  const units = new Units();
  const reading = new Reading(units);
  const grouping = new Grouping(units, reading, inGrid);
  for (const node of needed(graph, outputs)) assign(node, units, reading, grouping);
  const results = outputs.map((n) => reading.contiguous(n));
  const traffic = () => trafficOf(units, reading, results);

  let now: Traffic = traffic();
  if (tails(units, reading)) {
    relink(units, reading);
    reading.forget();
    now = traffic();
  }
  if (sink({ units, reading, grouping, traffic: now, results: new Set(results) })) {
    relink(units, reading);
    now = traffic();
  }
  grouping.joinReaders(now.readers);
  return {
    results,
    ...traffic(),
    units: units.sorted(),
    unitOf: units.of,
    contiguous: (input) => reading.contiguous(input),
  };
}

/** Assigns a node to a unit. Views and leaves have none unless they are stored. */
function assign(node: Node, units: Units, reading: Reading, grouping: Grouping): void {
  if (node.op === "element") units.of.set(node, units.of.get(node.inputs[0])!);
  else if (node.op === "input" || isLeaf(node) || isView(node)) return;
  else if (isComputed(node) || isReduction(node) || isIndirect(node)) grouping.place(node);
  else {
    // The types exclude any other kind of primitive.
    const opaque: NodeOf<OpaqueOp> = node;
    const unit = units.create("opaque", opaque, []);
    for (const base of reading.arguments(opaque)) units.link(unit, base);
  }
}

/** Recomputes the dependencies of each unit after nodes have moved. */
function relink(units: Units, reading: Reading): void {
  for (const u of [...units.list]) {
    u.deps.clear();
    for (const n of u.nodes) for (const base of reading.all(u, n)) units.link(u, base);
  }
}
