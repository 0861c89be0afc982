import type { DType, TypedArray } from "../dtype.ts";
import type { Op, Primitives } from "../graph.ts";
import type { Shape } from "../shape.ts";

/** A concrete operand. */
export interface Operand {
  readonly data: TypedArray;
  readonly shape: Shape;
  readonly dtype: DType;
}

/** Computes an operation into a fresh array. */
export type Evaluator<K extends Op> = (
  inputs: readonly Operand[],
  attributes: Primitives[K],
  out: TypedArray,
  shape: Shape,
  dtype: DType,
) => void;

/** Evaluators by the names of their operations. */
export type Evaluators<K extends Op> = { readonly [N in K]: Evaluator<N> };
