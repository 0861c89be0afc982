import { cast, concat, gt, max, mean, type Tensor } from "@reins/tensor";
import { type MlpOptions, type MlpParams, mlp } from "./mlp.ts";

/** The activations of all hidden units of an {@link mlp}, layer by layer. */
export function hiddenActivations(options: MlpOptions): (params: MlpParams, x: Tensor) => Tensor[] {
  const { hidden = [64, 64] } = options;
  const upTo = hidden.map((_, i) => mlp({ ...options, hidden: hidden.slice(0, i + 1), outputs: undefined }));
  return (params, x) => upTo.map((network) => network.apply(params, x));
}

/**
 * The fraction of units that are above 0 for at least one row, from the activations of each layer: inactive ReLU units cannot learn. Ma et
 * al., "Revisiting Plasticity in Visual Reinforcement Learning" (2024), call it the fraction of active units.
 */
export function activeFraction(layers: readonly Tensor[]): Tensor {
  return mean(cast(gt(max(concat([...layers], -1), 0), 0), "f32"));
}
