import { add, mul, softplus, sub, sum, type Tensor } from "@reins/tensor";
import { nn } from "../nn.ts";

/** Nodes and weights of Gauss-Hermite quadrature: the mean of a smooth function of a standard normal variable. */
const nodes = [0.5390798113513752, 1.6365190424351082, 2.8024858612875416, 4.1445471861258945];
const weights = [0.37301225767907736, 0.11723990766175904, 0.009635220120788258, 0.00011261453837536765];

/**
 * A tanh-squashed normal distribution over pre-tanh actions: log-probabilities are
 * those of the squashed action. Its entropy has no closed form; quadrature gives it to a few thousandths (for standard deviations up to 1.5),
 * with gradients and without random numbers.
 */
export function squashed(
  options: nn.distributions.NormalOptions,
): nn.Distribution & { readonly base: nn.distributions.Normal } {
  const { logProbOfRaw, base } = nn.distributions.tanhNormal(options);
  return {
    base,
    sample: base.sample,
    logProb: logProbOfRaw,
    mode: base.mode,
    entropy() {
      const std = base.logStd.exp();
      const at = (z: number) => logSlope(add(base.location, mul(std, z)));
      const stretch = nodes.map((z, i) => mul(add(at(z), at(-z)), weights[i])).reduce((a, b) => add(a, b));
      return add(base.entropy(), sum(stretch, -1));
    },
    kl: (other) => base.kl(other.base),
  };
}

/** The logarithm of the derivative of tanh, 1 - tanh², without cancellation. */
function logSlope(raw: Tensor): Tensor {
  return mul(sub(sub(Math.LN2, raw), softplus(mul(raw, -2))), 2);
}
