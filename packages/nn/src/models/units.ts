import { cast, concat, gt, max, mean, type Tensor } from "@reins/tensor";
import { type MlpOptions, type MlpParams, mlp } from "./mlp.ts";

/** What all hidden units of an {@link mlp} say, layer by layer: the network up to there. */
export function hiddenUnits(options: MlpOptions): (params: MlpParams, x: Tensor) => Tensor[] {
  const { hidden = [64, 64] } = options;
  const upTo = hidden.map((_, i) => mlp({ ...options, hidden: hidden.slice(0, i + 1), outputs: undefined }));
  return (params, x) => upTo.map((network) => network.apply(params, x));
}

/**
 * The share of units that are above 0 for some row, from the rows of each layer: what is left of a network of ReLUs that can still learn. Ma et
 * al., "Revisiting Plasticity in Visual Reinforcement Learning" (2024), call it the fraction of active units.
 */
export function activeShare(layers: readonly Tensor[]): Tensor {
  return mean(cast(gt(max(concat([...layers], -1), 0), 0), "f32"));
}
