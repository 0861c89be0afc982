import { computeType, type DType, type TypedArray, typedArray } from "../dtype.ts";
import type { Op, Primitives } from "../graph.ts";
import { elementwise } from "../math/elementwise.ts";
import type { Elementwise } from "../primitives.ts";
import { type Shape, sizeOf } from "../shape.ts";
import { attend } from "./attend.ts";
import type { Evaluator, Evaluators, Operand } from "./evaluator.ts";
import { linearAlgebra } from "./linalg.ts";
import { movement } from "./movement.ts";
import { reductions } from "./reductions.ts";
import { runElementwise } from "./tape.ts";

/** An evaluator that wraps all others: it may call `plain`, also with other operands, and change the result. */
export type Interposed = (
  op: string,
  inputs: readonly Operand[],
  plain: (inputs: readonly Operand[]) => TypedArray,
  /** Of the result. */
  shape: Shape,
) => TypedArray;

let interposed: Interposed | undefined;

/** @internal Wraps every operation of the reference back end with `f` while `body` runs, for example to perturb rounding errors. */
export function interpose<R>(f: Interposed, body: () => R): R {
  const before = interposed;
  interposed = f;
  try {
    return body();
  } finally {
    interposed = before;
  }
}

/** Operations that the reference back end does not evaluate: parts of graphs, and those made only by lowering. */
const partOfGraph = (): never => {
  throw new Error("internal: a part of a graph was evaluated outside of it.");
};

const table: Evaluators<Op> = {
  ...byFormula(),
  ...movement,
  ...reductions,
  ...linearAlgebra,
  attend,
  input: partOfGraph,
  element: partOfGraph,
  flash: partOfGraph,
  scan: partOfGraph,
  fma: partOfGraph,
  copy: partOfGraph,
};

/** Elementwise operations are computed by the formulas that all back ends share. */
function byFormula(): Evaluators<keyof Elementwise> {
  const evaluator = <K extends keyof Elementwise>(op: K): Evaluator<K> => {
    return (inputs, attributes, out) =>
      runElementwise(
        op,
        computeType(inputs[inputs.length - 1].dtype),
        attributes,
        inputs.map((x) => x.data),
        out,
      );
  };
  const names = Object.keys(elementwise) as (keyof Elementwise)[];
  return Object.fromEntries(names.map((op) => [op, evaluator(op)])) as Evaluators<keyof Elementwise>;
}

/**
 * The reference back end: one operation at a time, in the simplest way. The fast back ends are tested against it, and it
 * computes operations on tensors outside of compiled functions.
 */
export function evaluate<K extends Op>(
  op: K,
  inputs: readonly Operand[],
  attributes: Primitives[K],
  shape: Shape,
  dtype: DType,
): TypedArray {
  if (!interposed) return compute(op, inputs, attributes, shape, dtype);
  return interposed(op, inputs, (xs) => compute(op, xs, attributes, shape, dtype), shape);
}

function compute<K extends Op>(
  op: K,
  inputs: readonly Operand[],
  attributes: Primitives[K],
  shape: Shape,
  dtype: DType,
): TypedArray {
  const out = typedArray(dtype, sizeOf(shape));
  table[op](inputs, attributes, out, shape, dtype);
  return out;
}
