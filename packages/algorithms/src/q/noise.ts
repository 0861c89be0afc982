import type { Live } from "@reins/core";
import { add, mul, random, reshape, sqrt, sub, type Tensor, type Tree, where, zeros } from "@reins/tensor";

/** No noise yet. */
export const noiseState = (rows: number, size: number): Tree => ({ noise: zeros([rows, size]) });

/**
 * Standard normal noise of which a share is kept from step to step: ε' = ρ ε + √(1 - ρ²) ξ. Each step's noise is standard normal whatever the
 * share; a high one pushes the same way for about 1 / (1 - ρ) steps, which reaches what independent pushes cancel out of (Eberhard et al.,
 * "Pink Noise Is All You Need", 2023).
 */
export function carried(state: Tree, share: Live, first: Tensor | undefined, key: Tensor): Tensor {
  const { noise } = state as { noise: Tensor };
  const fresh = random.normal(key, noise.shape);
  if (share.isOff()) return fresh;
  const rho = share.tensor;
  const kept = add(mul(noise, rho), mul(fresh, sqrt(sub(1, mul(rho, rho)))));
  return first ? where(reshape(first, [noise.shape[0], 1]), fresh, kept) : kept;
}
