import * as nn from "@reins/nn";
import { abs, add, matmul, mul, random, sign, sqrt, type Tensor } from "@reins/tensor";

/** Means and standard deviations of the weights of {@link noisyLinear}. */
export type NoisyParams = { weight: Tensor; bias: Tensor; weightSpread: Tensor; biasSpread: Tensor };

/**
 * A linear layer whose weights are sampled with a learned standard deviation at each call with a key; without a
 * key, their means (Fortunato et al., "Noisy Networks for Exploration", 2018). The noise is factorised: one number
 * per input and one per output.
 */
export function noisyLinear(options: {
  inputs: number;
  outputs: number;
  spread?: number;
}): nn.Layer<NoisyParams> {
  const { inputs, outputs, spread = 0.5 } = options;
  const bound = 1 / Math.sqrt(inputs);
  return {
    init(key) {
      const [a, b] = random.splitKey(key);
      return {
        weight: nn.init.uniform(bound)(a, [inputs, outputs]),
        bias: nn.init.uniform(bound)(b, [outputs]),
        weightSpread: nn.init.constant(spread * bound)(a, [inputs, outputs]),
        biasSpread: nn.init.constant(spread * bound)(b, [outputs]),
      };
    },
    apply(p, x, context) {
      const mean = add(matmul(x, p.weight), p.bias);
      if (!context?.key) return mean;
      const [a, b] = random.splitKey(context.key);
      const [from, to] = [signedRoot(random.normal(a, [inputs])), signedRoot(random.normal(b, [outputs]))];
      // x · (σ ∘ from toᵀ) = ((x ∘ from) · σ) ∘ to: the noisy weights are never materialised.
      const noise = add(matmul(mul(x, from), p.weightSpread), p.biasSpread);
      return add(mean, mul(noise, to));
    },
  };
}

const signedRoot = (x: Tensor) => mul(sign(x), sqrt(abs(x)));
