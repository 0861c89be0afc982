import {
  add,
  expandDims,
  gather,
  logSumExp,
  mul,
  neg,
  random,
  reshape,
  sub,
  sum,
  type Tensor,
} from "@reins/tensor";
import { fail } from "../errors.ts";
import { type Categorical, categorical } from "./categorical.ts";
import { type Distribution, keyFor } from "./distribution.ts";

/** Parameters of {@link mixture}. */
export interface MixtureOptions {
  /** Unnormalised log-weights, [..., components]. */
  logits: Tensor;
  /** All components as one distribution with a last batch axis of components: `normal` with a mean of [..., components, dimensions]. */
  components: Distribution;
}

/** Return type of {@link mixture}. */
export interface Mixture extends Distribution {
  readonly weights: Categorical;
}

/**
 * A weighted mixture of distributions of one family. `mode` is the mode of the heaviest component. Entropy and KL have no closed
 * form: with a key they are estimated from one sample per row. The choice of a component has no gradient.
 */
export function mixture({ logits, components }: MixtureOptions): Mixture {
  const weights = categorical({ logits });
  const axis = logits.rank - 1;
  /** The values of the chosen components: [..., components, ...event] becomes [..., ...event]. */
  const choose = (values: Tensor, which: Tensor) => {
    const index = reshape(
      which,
      values.shape.map((d, i) => (i < axis ? d : 1)),
    );
    return reshape(
      gather(values, index, axis),
      values.shape.filter((_, i) => i !== axis),
    );
  };
  const self: Mixture = {
    weights,
    sample(key) {
      const [k1, k2] = random.splitKey(key);
      return choose(components.sample(k1), weights.sample(k2));
    },
    logProb: (x) => logSumExp(add(weights.logProbs, components.logProb(expandDims(x, axis)))),
    mode: () => choose(components.mode(), weights.mode()),
    mean() {
      const means =
        components.mean?.() ?? fail("mean of mixture", "its components have no mean. Use mode() or samples.");
      const p = weights.probs();
      return sum(mul(means, reshape(p, [...p.shape, ...means.shape.slice(p.rank).map(() => 1)])), axis);
    },
    entropy: (key) => neg(self.logProb(self.sample(keyFor("entropy of mixture", key)))),
    kl(other, key) {
      const x = self.sample(keyFor("kl of mixture", key));
      return sub(self.logProb(x), other.logProb(x));
    },
  };
  return self;
}
