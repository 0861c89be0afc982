import {
  add,
  broadcastTo,
  expandDims,
  ge,
  log,
  matmul,
  mul,
  or,
  random,
  sqrt,
  square,
  stopGradient,
  sub,
  sum,
  type Tensor,
  type Tree,
  where,
  zeros,
} from "@reins/tensor";
import type { nn } from "../nn.ts";
import type { Carried, DistributionInput, HeadOptions } from "./head.ts";

/** Mean and standard deviation of normal raw actions, and the temporal structure of their noise. */
export interface NormalNoise {
  /** Parameters of the standard deviation. */
  init(features: number): Tree;
  normal(params: Tree, mean: Tensor, circumstances: DistributionInput): nn.distributions.NormalOptions;
  readonly carried?: Carried;
}

/**
 * State-dependent exploration (gSDE; Raffin et al., 2021): the noise is a random linear function of the features, resampled every few
 * steps, so a state gets the same noise in between. Its standard deviation in a state is that of the function: √mean(features² · std²). The
 * paper has a sum instead of the mean; the meaning of `logStd` would then depend on the width of the network.
 */
export function stateDependentNoise(
  actions: number,
  { logStd = 0, noiseSteps = 8 }: HeadOptions,
): NormalNoise {
  const spread = (params: Tree) => (params as { logStd: Tensor }).logStd.exp();
  return {
    init: (features) => ({ logStd: zeros([features, actions]).set(logStd) }),
    normal(params, mean, { features }) {
      // As in the paper, the spread is learned through its own parameters only, not through the features.
      const variance = matmul(square(stopGradient(features!)), square(spread(params)));
      return { mean, logStd: mul(log(add(mul(variance, 1 / widthOf(features!)), 1e-6)), 0.5) };
    },
    carried: {
      start: (rows, features) => ({ weights: zeros([rows, features, actions]), age: zeros([rows], "i32") }),
      draw(params, mean, { features, state, first, key }) {
        const { weights, age } = state as { weights: Tensor; age: Tensor };
        if (!key) return { raw: mean, state, given: {} };
        const due = or(first, ge(age, noiseSteps));
        const wide = expandDims(expandDims(due, -1), -1);
        const drawn = where(wide, random.normal(key, weights.shape), weights);
        const noise = sum(mul(mul(expandDims(features, -1), drawn), spread(params)), 1);
        return {
          raw: add(mean, mul(noise, 1 / Math.sqrt(widthOf(features)))),
          state: { weights: drawn, age: where(due, 1, add(age, 1)) },
          given: {},
        };
      },
    },
  };
}

/**
 * Autocorrelated noise: a share of it is kept from each step to the next (an autoregressive process of order 1, the discrete form of
 * the Ornstein-Uhlenbeck process). The likelihood of an action is conditional on the previous noise, which makes the gradient exact.
 */
export function correlatedNoise(
  actions: number,
  { logStd = 0, noiseMemory = 0.9 }: HeadOptions,
): NormalNoise {
  const fresh = (keep: Tensor) => sub(1, square(keep));
  const spread = (params: Tree, mean: Tensor) =>
    broadcastTo((params as { logStd: Tensor }).logStd, mean.shape);
  return {
    init: () => ({ logStd: zeros([actions]).set(logStd) }),
    normal(params, mean, { given }) {
      const scale = spread(params, mean);
      if (!given) return { mean, logStd: scale };
      const { before, keep } = given as { before: Tensor; keep: Tensor };
      return {
        mean: add(mean, mul(scale.exp(), mul(keep, before))),
        logStd: add(scale, mul(log(fresh(keep)), 0.5)),
      };
    },
    carried: {
      start: (rows) => ({ noise: zeros([rows, actions]) }),
      draw(params, mean, { state, first, key }) {
        const { noise: before } = state as { noise: Tensor };
        // The first noise of an episode comes from the stationary distribution.
        const keep = where(expandDims(first, -1), 0, noiseMemory);
        const given = { before, keep };
        if (!key) return { raw: mean, state, given };
        const drawn = random.normal(key, before.shape);
        const noise = add(mul(keep, before), mul(sqrt(fresh(keep)), drawn));
        return { raw: add(mean, mul(spread(params, mean).exp(), noise)), state: { noise }, given };
      },
    },
  };
}

const widthOf = (features: Tensor) => features.shape[features.rank - 1];
