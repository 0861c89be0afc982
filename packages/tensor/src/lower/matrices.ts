import type { Node } from "../graph.ts";
import type { Builder } from "../kernel/builder.ts";
import type { BasicOp, Operand, Value } from "../kernel/kernel.ts";
import { sizeOf } from "../shape.ts";
import type { Fusion } from "./fuse.ts";
import { Emitter } from "./loops.ts";
import type { Lowered } from "./lowered-kernel.ts";

/** Common parts of a kernel of small dense matrices. */
export interface Matrices {
  readonly e: Emitter;
  readonly b: Builder;
  /** The index of the matrix in the batch. */
  readonly batch: Value;
  /** The arguments, and the result. */
  readonly inputs: readonly number[];
  readonly output: number;
  /** The last two dimensions of the result. */
  readonly rows: number;
  readonly columns: number;
  /** An operation on floats. */
  f(op: BasicOp, ...args: Operand[]): Operand;
}

/** Small dense linear algebra, one matrix at a time in plain loops. Arguments are contiguous in memory. */
export function matrixKernel(node: Node, fusion: Fusion, write: (matrices: Matrices) => void): Lowered {
  const e = new Emitter(new Set([node]));
  const b = e.builder;
  const batch = b.parallel();
  const inputs = node.inputs.map((n) => e.param(fusion.contiguous(n)));
  const [rows, columns] = node.shape.slice(-2);
  const f = (op: BasicOp, ...args: Operand[]) => b.fresh("f32", op, ...args);
  write({ e, b, batch, inputs, output: e.param(node), rows, columns, f });
  return {
    kernel: b.kernel(batch, node.op),
    args: e.args,
    extent: sizeOf(node.shape.slice(0, -2)),
    scratchBytes: e.scratchBytes,
  };
}
