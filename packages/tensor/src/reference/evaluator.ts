import type { DType, TypedArray } from "../dtype.ts";
import type { Attributes } from "../graph.ts";
import type { Shape } from "../shape.ts";

/** A concrete operand. */
export interface Operand {
  readonly data: TypedArray;
  readonly shape: Shape;
  readonly dtype: DType;
}

/** Computes one operation into a fresh array. */
export type Evaluator = (
  inputs: readonly Operand[],
  attributes: Attributes,
  out: TypedArray,
  shape: Shape,
  dtype: DType,
) => void;
