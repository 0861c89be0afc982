import {
  add,
  div,
  gt,
  maximum,
  mean,
  mul,
  sqrt,
  square,
  stopGradient,
  sub,
  type Tensor,
  type Tree,
  where,
  zeros,
} from "@reins/tensor";
import { fail } from "../errors.ts";
import { meanWhere } from "../loop/gradient.ts";
import type { nn } from "../nn.ts";
import { type Scalar, valueOf } from "../signals/live.ts";

/** Running mean and variance of returns, and their weight: 0 before the first, then towards 1. */
export type ReturnScale = { mean: Tensor; variance: Tensor; weight: Tensor };

/** The initial scale: values equal the critic's outputs. */
export const initialReturnScale = (): ReturnScale => ({
  mean: zeros([]),
  variance: zeros([]),
  weight: zeros([]),
});

/** Mean and standard deviation of returns, without gradients. */
export function scaleOf(scale: ReturnScale): { readonly middle: Tensor; readonly spread: Tensor } {
  // Equal returns must not make a scale of 0.
  const spread = where(gt(scale.weight, 0), sqrt(maximum(scale.variance, 1e-4)), 1);
  return { middle: stopGradient(scale.mean), spread: stopGradient(spread) };
}

/**
 * The scale after more returns, which count by `rate`. Variances are combined around their own means (Chan et al., 1979): for returns
 * far from 0, squares would lose the spread to rounding.
 */
function followed(
  scale: ReturnScale,
  average: (x: Tensor) => Tensor,
  returns: Tensor,
  rate: Scalar,
): ReturnScale {
  const share = valueOf(rate);
  const old = mul(scale.weight, sub(1, share));
  const weight = add(old, share);
  // Avoids 0 / 0 for a weight of 0 at a rate of 0.
  const whole = maximum(weight, 1e-30);
  const middle = average(returns);
  const distance = sub(middle, scale.mean);
  const part = div(share, whole);
  const spread = average(square(sub(returns, middle)));
  const between = mul(square(distance), mul(div(old, whole), part));
  return {
    mean: add(scale.mean, mul(distance, part)),
    variance: add(add(mul(scale.variance, div(old, whole)), mul(spread, part)), between),
    weight,
  };
}

/** A critic's output as a value, in the units of its scale if it has one. */
export function inScale({ scale }: { readonly scale?: ReturnScale }, given: Tensor): Tensor {
  if (!scale) return given;
  const { middle, spread } = scaleOf(scale);
  return add(mul(given, spread), middle);
}

/** The unit of a critic's errors, for losses, if it has a scale. */
export const unitOf = ({ scale }: { readonly scale?: ReturnScale }): { valueUnit: Tensor } | undefined =>
  scale && { valueUnit: scaleOf(scale).spread };

/** The weights that PopArt needs. */
type Scaled = { readonly critic: nn.MlpParams | nn.LinearParams; readonly scale: ReturnScale };

const isScaled = (weights: Tree): weights is Scaled =>
  typeof weights === "object" && weights !== null && "critic" in weights && "scale" in weights;

/**
 * Updates the critic's scale with returns and changes its last layer so that its values stay the same (van Hasselt et al., 2016: adaptively
 * rescaling targets, preserving outputs precisely). `rate` is the weight of the new returns. For policies made with `popArt`.
 */
export function updateReturnScale(weights: Tree, returns: Tensor, rate: Scalar, alive?: Tensor): Tree {
  if (!isScaled(weights)) return fail("popArt", "this critic has no scale. Create the policy with `popArt`.");
  const average = (x: Tensor) => (alive ? meanWhere(alive, x) : mean(x));
  const scale = followed(weights.scale, average, returns, rate);
  const [before, after] = [scaleOf(weights.scale), scaleOf(scale)];
  const anew = ({ weight, bias, ...rest }: nn.LinearParams): nn.LinearParams => ({
    ...rest,
    weight: mul(weight, div(before.spread, after.spread)),
    ...(bias
      ? { bias: div(add(mul(bias, before.spread), sub(before.middle, after.middle)), after.spread) }
      : {}),
  });
  const { critic } = weights;
  const layers = "layers" in critic ? critic.layers : undefined;
  return {
    ...(weights as { readonly [part: string]: Tree }),
    scale,
    critic: layers
      ? { ...critic, layers: [...layers.slice(0, -1), anew(layers[layers.length - 1])] }
      : anew(critic as nn.LinearParams),
  };
}
