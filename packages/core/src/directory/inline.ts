import { type DType, Tensor, tensor } from "@reins/tensor";
import { type NumberArray, numberArrays } from "../snapshot.ts";
import { decode, encode, type Json } from "./tree.ts";

/** A small array as readable JSON. */
export interface Inline {
  /** A tensor's type (`f32`), or the class of a plain array (`Float64Array`). */
  readonly type: string;
  readonly shape: readonly number[];
  readonly data: Json;
}

/** The numbers of a tensor or an array. */
export const dataOf = (x: NumberArray | Tensor) => (x instanceof Tensor ? x.data : x);

/** An array as JSON. */
export function show(x: NumberArray | Tensor): Inline {
  const type = x instanceof Tensor ? x.dtype : (x as { [Symbol.toStringTag]: string })[Symbol.toStringTag];
  const shape = x instanceof Tensor ? x.shape : [x.length];
  return { type, shape, data: encode(Array.from(dataOf(x)), new Map()) };
}

/** The array that {@link show} encoded. */
export function unshow({ type, shape, data }: Inline): NumberArray | Tensor {
  const values = decode(data, new Map()) as number[];
  if (type in numberArrays) return numberArrays[type as keyof typeof numberArrays].from(values);
  return tensor(values, { shape, dtype: type as DType });
}
