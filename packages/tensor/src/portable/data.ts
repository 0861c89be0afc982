import type { DType } from "../dtype.ts";
import type { Op } from "../graph.ts";
import type { Shape } from "../shape.ts";

/** A node: its operation, the numbers of its input nodes (which precede it), its attributes, and the shape and type of its result. */
export type NodeData = readonly [
  op: Op,
  inputs: readonly number[],
  attributes: { readonly [name: string]: unknown },
  shape: Shape,
  dtype: DType,
];

/** A graph as a list of nodes, the arguments first. */
export interface GraphData {
  readonly nodes: readonly NodeData[];
  /** The numbers of the result nodes. */
  readonly outputs: readonly number[];
}

/** The body of a loop; its outputs are the carries, then the stacked values. */
export interface LoopData extends GraphData {
  readonly carries: number;
  readonly elements: number;
  readonly length: number;
  readonly reverse: boolean;
  readonly counted: boolean;
}

/** Nested lists and objects whose leaves are numbers of tensors. */
export type TreeData = number | null | readonly TreeData[] | { readonly [name: string]: TreeData };

/** A function of tensors as plain data for a file: the traced computation for arguments of given shapes, without source code. */
export interface FunctionData {
  readonly format: 1;
  /** The arguments: their tensors by number. */
  readonly arguments: readonly TreeData[];
  readonly result: TreeData;
  /** Its first nodes are the arguments' tensors, then the constants. */
  readonly graph: GraphData;
}
