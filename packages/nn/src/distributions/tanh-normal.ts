import {
  add,
  clamp,
  div,
  log,
  log1p,
  mul,
  neg,
  softplus,
  sub,
  sum,
  type Tensor,
  type TensorLike,
  tanh,
} from "@reins/tensor";
import { type Distribution, keyFor } from "./distribution.ts";
import { type Normal, type NormalOptions, normal } from "./normal.ts";

/** Parameters of {@link tanhNormal}. */
export interface TanhNormalOptions extends NormalOptions {
  /** Lower bound of the action, a number or one per dimension (default -1). */
  low?: TensorLike;
  /** Upper bound of the action (default 1). */
  high?: TensorLike;
}

/** Return type of {@link tanhNormal}. */
export interface TanhNormal extends Distribution {
  /** The normal distribution before squashing. */
  readonly base: Normal;
  /** An action with its log-probability, computed from the pre-tanh sample: exact also if the action has rounded to a bound. */
  sampleWithLogProb(key: Tensor): { action: Tensor; logProb: Tensor; raw: Tensor };
  /** The log-probability of the action of `raw`, a pre-tanh sample. */
  logProbOfRaw(raw: Tensor): Tensor;
}

/** The logarithm of the derivative of tanh, 1 - tanh², without cancellation. */
function logSlope(raw: Tensor): Tensor {
  return mul(sub(sub(Math.LN2, raw), softplus(mul(raw, -2))), 2);
}

/**
 * A normal distribution squashed by tanh into bounds (SAC). `mode` is the squashed mean. Entropy has no closed form: with a key
 * it is estimated from one reparameterised sample. KL is exact between two with the same bounds, since squashing
 * changes both alike.
 */
export function tanhNormal({ mean, logStd, low = -1, high = 1 }: TanhNormalOptions): TanhNormal {
  const base = normal({ mean, logStd });
  const unit = low === -1 && high === 1;
  const half = unit ? 1 : div(sub(high, low), 2);
  const squash = (raw: Tensor) => (unit ? tanh(raw) : add(mul(add(tanh(raw), 1), half), low));
  const logProbOfRaw = (raw: Tensor) => {
    const slope = logSlope(raw);
    return sub(base.logProb(raw), sum(unit ? slope : add(slope, log(half)), -1));
  };
  const sampleWithLogProb = (key: Tensor) => {
    const raw = base.sample(key);
    return { action: squash(raw), logProb: logProbOfRaw(raw), raw };
  };
  return {
    base,
    sampleWithLogProb,
    logProbOfRaw,
    sample: (key) => squash(base.sample(key)),
    logProb(x) {
      // An action that has rounded to a bound is replaced by the nearest number inside.
      const y = clamp(unit ? x : sub(div(sub(x, low), half), 1), -1 + 1e-6, 1 - 1e-6);
      return logProbOfRaw(mul(sub(log1p(y), log1p(neg(y))), 0.5));
    },
    mode: () => squash(mean),
    entropy: (key) => neg(sampleWithLogProb(keyFor("entropy of tanhNormal", key)).logProb),
    kl: (other) => base.kl(other.base),
  };
}
