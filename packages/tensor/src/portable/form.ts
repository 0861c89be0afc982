import type { DType } from "../dtype.ts";
import type { Shape } from "../shape.ts";

/** The shape and type of a value. */
export interface Form {
  readonly shape: Shape;
  readonly dtype: DType;
}
