import { computeType, type DType, type TypedArray, typedArray } from "../dtype.ts";
import type { Attributes } from "../graph.ts";
import { elementwise } from "../math/elementwise.ts";
import { type Shape, sizeOf } from "../shape.ts";
import type { Evaluator, Operand } from "./evaluator.ts";
import { linearAlgebra } from "./linalg.ts";
import { movement } from "./movement.ts";
import { reductions } from "./reductions.ts";
import { runElementwise } from "./tape.ts";

/** An evaluator that stands in front of all others: it may call `plain`, with other operands too, and change what comes out. */
export type Interposed = (
  op: string,
  inputs: readonly Operand[],
  plain: (inputs: readonly Operand[]) => TypedArray,
  /** Of the result. */
  shape: Shape,
) => TypedArray;

let interposed: Interposed | undefined;

/** @internal Puts `f` in front of every operation of the reference back end while `body` runs: how rounding errors are disturbed. */
export function interpose<R>(f: Interposed, body: () => R): R {
  const before = interposed;
  interposed = f;
  try {
    return body();
  } finally {
    interposed = before;
  }
}

const table: Record<string, Evaluator> = { ...movement, ...reductions, ...linearAlgebra };

/**
 * The reference back end: one operation at a time, in the most obvious way. It is what the fast back ends are tested against, and
 * what runs when tensors are used outside of compiled functions.
 */
export function evaluate(
  op: string,
  inputs: readonly Operand[],
  attributes: Attributes,
  shape: Shape,
  dtype: DType,
): TypedArray {
  if (!interposed) return compute(op, inputs, attributes, shape, dtype);
  return interposed(op, inputs, (xs) => compute(op, xs, attributes, shape, dtype), shape);
}

function compute(
  op: string,
  inputs: readonly Operand[],
  attributes: Attributes,
  shape: Shape,
  dtype: DType,
): TypedArray {
  const out = typedArray(dtype, sizeOf(shape));
  if (elementwise[op]) {
    runElementwise(
      op,
      computeType(inputs[inputs.length - 1].dtype),
      attributes,
      inputs.map((x) => x.data),
      out,
    );
    return out;
  }
  const f = table[op];
  if (!f) throw new Error(`The reference back end has no operation "${op}".`);
  f(inputs, attributes, out, shape, dtype);
  return out;
}
