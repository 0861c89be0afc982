import type { Graph, Node } from "../graph.ts";

/** A traced loop body: which of its graph's nodes are what. */
export interface ScanBody {
  readonly graph: Graph;
  readonly carryIn: readonly Node[];
  readonly xIn: readonly Node[];
  readonly constIn: readonly Node[];
  readonly carryOut: readonly Node[];
  readonly yOut: readonly Node[];
  readonly length: number;
  readonly reverse: boolean;
  /** The scan node's last input is an i32: how many of the `length` iterations are run. */
  readonly counted: boolean;
}
