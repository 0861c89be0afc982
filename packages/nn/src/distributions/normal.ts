import { add, broadcastTo, exp, mul, random, real, square, sub, sum, type Tensor } from "@reins/tensor";
import type { Distribution } from "./distribution.ts";

/** Parameters of {@link normal}. */
export interface NormalOptions {
  /** [..., dimensions]. */
  mean: Tensor;
  /** The logarithm of the standard deviation, of the mean's shape or one that broadcasts to it; higher explores more (-5 to 2). */
  logStd: Tensor;
}

/** Return type of {@link normal}. */
export interface Normal extends Distribution {
  readonly location: Tensor;
  readonly logStd: Tensor;
  mean(): Tensor;
}

const halfLogTwoPi = 0.5 * real.log(2 * Math.PI);

/** The log-density of each dimension. */
export function normalLogDensity(x: Tensor, mean: Tensor, logStd: Tensor): Tensor {
  const z = mul(sub(x, mean), exp(mul(logStd, -1)));
  return sub(mul(square(z), -0.5), add(logStd, halfLogTwoPi));
}

/** A normal distribution with independent dimensions on the last axis. Samples are reparameterised; entropy and KL are exact. */
export function normal({ mean, logStd: given }: NormalOptions): Normal {
  const logStd = broadcastTo(given, mean.shape);
  return {
    location: mean,
    logStd,
    sample: (key) => add(mean, mul(exp(logStd), random.normal(key, mean.shape))),
    logProb: (x) => sum(normalLogDensity(x, mean, logStd), -1),
    mode: () => mean,
    mean: () => mean,
    entropy: () => sum(add(logStd, 0.5 + halfLogTwoPi), -1),
    kl(other) {
      const ratio = exp(mul(sub(logStd, other.logStd), 2));
      const gap = square(mul(sub(mean, other.location), exp(mul(other.logStd, -1))));
      return sum(add(mul(add(ratio, gap), 0.5), sub(sub(other.logStd, logStd), 0.5)), -1);
    },
  };
}
