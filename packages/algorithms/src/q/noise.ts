import type { LiveValue } from "@reins/core/settings";
import { add, mul, random, reshape, sqrt, sub, type Tensor, type Tree, where, zeros } from "@reins/tensor";

/** Initial noise of 0. */
export const noiseState = (rows: number, size: number): Tree => ({ noise: zeros([rows, size]) });

/**
 * Standard normal noise with correlation between steps: ε' = ρ ε + √(1 - ρ²) ξ. Each step's noise is standard
 * normal for any ρ; a high one pushes in one direction for about 1 / (1 - ρ) steps, which reaches states where
 * independent noise cancels out (Eberhard et al., "Pink Noise Is All You Need", 2023).
 */
export function carried(state: Tree, share: LiveValue, first: Tensor | undefined, key: Tensor): Tensor {
  const { noise } = state as { noise: Tensor };
  const fresh = random.normal(key, noise.shape);
  if (share.isOff()) return fresh;
  const rho = share.tensor;
  const kept = add(mul(noise, rho), mul(fresh, sqrt(sub(1, mul(rho, rho)))));
  return first ? where(reshape(first, [noise.shape[0], 1]), fresh, kept) : kept;
}
