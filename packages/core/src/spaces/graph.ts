import type { Tensor, Tree } from "@reins/tensor";
import type { Graph, Value } from "../space.ts";
import { fill, flat, isArray, kindOf, shapeFault } from "./numbers.ts";
import { show } from "./show.ts";

/**
 * A graph as a value: `nodes` and `edges` are rows of features (nested, or one flat array), `links` are pairs of node indices in
 * the order of `edges`. The counts may be omitted unless nodes have no features.
 */
export interface GraphValue {
  readonly [name: string]: Value;
  readonly nodes: ArrayLike<number> | readonly Value[];
  readonly links: ArrayLike<number> | readonly Value[];
}

type Trees = { readonly [name: string]: Tree };
type Values = { readonly [name: string]: Value };

/** Number of nodes of a value: as given, or from the length of its features. */
function nodeCount(space: Graph, value: Values): number {
  return typeof value.nodeCount === "number" ? value.nodeCount : rowsOf(value.nodes, space.nodeFeatures);
}

/** Number of edges of a value. */
function edgeCount(value: Values): number {
  return rowsOf(value.links, 2);
}

/** Describes what is wrong with a graph; undefined if it is valid. */
export function checkGraph(space: Graph, value: unknown, name: string): string | undefined {
  const parts = value as Values;
  if (typeof value !== "object" || value === null || !isArray(parts.nodes) || !isArray(parts.links))
    return `${name} is ${kindOf(value)}; ${show(space)} needs { nodes, links }, and edges if they have features.`;
  const [nodes, edges] = [nodeCount(space, parts), edgeCount(parts)];
  const many = nodes > space.maxNodes || edges > space.maxEdges;
  if (many) return `${name} has ${nodes} nodes and ${edges} edges, which does not fit ${show(space)}.`;
  const table = (part: "nodes" | "edges" | "links", rows: number, width: number) => {
    const size = rows * width;
    const fault = shapeFault(parts[part] ?? [], [rows, width], size);
    if (fault) return `${name}.${part} ${fault}; ${rows} rows of ${width} were expected in ${show(space)}.`;
    const xs = flat((parts[part] ?? []) as ArrayLike<number>);
    for (let i = 0; i < size; i++) {
      if (!Number.isFinite(xs[i]))
        return `${name}.${part} has ${xs[i]} at ${i}; features must be finite numbers.`;
      if (part === "links" && !(Number.isInteger(xs[i]) && xs[i] >= 0 && xs[i] < nodes))
        return `${name}.links has ${xs[i]} at ${i}; it must be a node index from 0 to ${nodes - 1}.`;
    }
    return;
  };
  return (
    table("nodes", nodes, space.nodeFeatures) ??
    table("edges", edges, space.edgeFeatures) ??
    table("links", edges, 2)
  );
}

/** Number of rows in nested or flat numbers. */
function rowsOf(value: Value | undefined, width: number): number {
  const list = value as ArrayLike<unknown> | undefined;
  if (list === undefined || list.length === 0) return 0;
  return typeof list[0] === "number" ? list.length / width : list.length;
}

/** Writes a valid graph into one slot of its columns. */
export function putGraph(space: Graph, columns: Trees, slot: number, value: Values): void {
  clearGraph(space, columns, slot);
  const put = (name: string, size: number) => {
    if (value[name] !== undefined)
      fill((columns[name] as Tensor).data, slot * size, value[name] as ArrayLike<number>);
  };
  put("nodes", space.maxNodes * space.nodeFeatures);
  put("edges", space.maxEdges * space.edgeFeatures);
  put("links", space.maxEdges * 2);
  (columns.nodeCount as Tensor).data[slot] = nodeCount(space, value);
  (columns.edgeCount as Tensor).data[slot] = edgeCount(value);
}

/** A graph without nodes. */
export function clearGraph(space: Graph, columns: Trees, slot: number): void {
  const clear = (name: string, size: number) =>
    (columns[name] as Tensor).data.fill(0, slot * size, (slot + 1) * size);
  clear("nodes", space.maxNodes * space.nodeFeatures);
  clear("edges", space.maxEdges * space.edgeFeatures);
  clear("links", space.maxEdges * 2);
  clear("nodeCount", 1);
  clear("edgeCount", 1);
}

/** A new graph value, with flat arrays and without padding. */
export function readGraph(space: Graph, columns: Trees, slot: number): GraphValue {
  const nodes = (columns.nodeCount as Tensor).data[slot];
  const edges = (columns.edgeCount as Tensor).data[slot];
  const part = (name: string, rows: number, width: number, count: number) =>
    (columns[name] as Tensor).data.slice(slot * rows * width, (slot * rows + count) * width);
  return {
    nodes: part("nodes", space.maxNodes, space.nodeFeatures, nodes),
    edges: part("edges", space.maxEdges, space.edgeFeatures, edges),
    links: part("links", space.maxEdges, 2, edges),
    nodeCount: nodes,
    edgeCount: edges,
  };
}
