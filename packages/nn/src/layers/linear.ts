import { add, matmul, random, type Tensor } from "@reins/tensor";
import { fail, show } from "../errors.ts";
import { type Initialiser, kaimingUniform, uniform } from "../init/index.ts";
import type { Layer } from "../layer.ts";
import { adapted, type ColumnAdapters } from "./adapters.ts";

/** `weight` is [inputs, outputs], so that `x` times it needs no transpose (PyTorch stores the transpose). */
export type LinearParams = { weight: Tensor; bias?: Tensor; adapters?: ColumnAdapters };

/** Settings of {@link linear}. */
export interface LinearOptions {
  /** Length of the last axis of the input. */
  inputs: number;
  /** Length of the last axis of the result. */
  outputs: number;
  /** Whether a bias is added (default true). */
  bias?: boolean;
  /** Initial weights (default: uniform in ±1/√inputs, as in PyTorch). */
  weightInit?: Initialiser;
  /** Initial bias (default: uniform in ±1/√inputs). */
  biasInit?: Initialiser;
}

/** `x · weight + bias` on the last axis. */
export function linear({
  inputs,
  outputs,
  bias = true,
  weightInit,
  biasInit,
}: LinearOptions): Layer<LinearParams> {
  return {
    init(key) {
      const [k1, k2] = random.splitKey(key);
      const weight = (weightInit ?? kaimingUniform(1 / Math.sqrt(3)))(k1, [inputs, outputs]);
      return bias
        ? { weight, bias: (biasInit ?? uniform(1 / Math.sqrt(inputs)))(k2, [outputs]) }
        : { weight };
    },
    apply(params, x) {
      if (x.shape[x.rank - 1] !== inputs) {
        fail("linear", `expects ${inputs} features on the last axis, but got ${show(x.shape)}.`);
      }
      return project(params, x);
    },
  };
}

/** {@link linear} without its options, as used by other layers. */
export function project({ weight, bias, adapters }: LinearParams, x: Tensor): Tensor {
  const product = matmul(x, weight);
  const y = bias ? add(product, bias) : product;
  return adapters ? adapted(y, x, adapters) : y;
}
