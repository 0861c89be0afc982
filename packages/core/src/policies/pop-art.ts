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

/** Running means of returns and of their squares, and how much has gone into them: 0 before the first, then towards 1. */
export type ReturnScale = { mean: Tensor; square: Tensor; weight: Tensor };

/** A scale of which nothing is known yet: values are what the critic's network gives. */
export const firstScale = (): ReturnScale => ({ mean: zeros([]), square: zeros([]), weight: zeros([]) });

/** Middle and spread of returns. Nothing is learned through them. */
export function scaleOf(scale: ReturnScale): { readonly middle: Tensor; readonly spread: Tensor } {
  const known = gt(scale.weight, 0);
  const middle = where(known, div(scale.mean, scale.weight), 0);
  const variance = sub(div(scale.square, scale.weight), square(middle));
  // Returns that are all alike must not make a scale of 0.
  const spread = where(known, sqrt(maximum(variance, 1e-4)), 1);
  return { middle: stopGradient(middle), spread: stopGradient(spread) };
}

/** What a critic's network gives, as a value: in the units of its scale where it has one. */
export function inScale({ scale }: { readonly scale?: ReturnScale }, given: Tensor): Tensor {
  if (!scale) return given;
  const { middle, spread } = scaleOf(scale);
  return add(mul(given, spread), middle);
}

/** The unit in which a critic's errors are measured, for losses, where it has a scale. */
export const unitOf = ({ scale }: { readonly scale?: ReturnScale }): { valueUnit: Tensor } | undefined =>
  scale && { valueUnit: scaleOf(scale).spread };

/** What PopArt must find among a policy's weights. */
type Scaled = { readonly critic: nn.MlpParams | nn.LinearParams; readonly scale: ReturnScale };

const isScaled = (weights: Tree): weights is Scaled =>
  typeof weights === "object" && weights !== null && "critic" in weights && "scale" in weights;

/**
 * Lets the critic's scale follow returns, and changes its last layer so that its values stay what they were (van Hasselt et al., 2016: adaptively
 * rescaling targets, preserving outputs precisely). `rate` is how much the last returns count. For policies that were made with `popArt`.
 */
export function rescaled(weights: Tree, returns: Tensor, rate: Scalar, alive?: Tensor): Tree {
  if (!isScaled(weights))
    return fail("popArt", "this critic has no scale of its own. Make the policy with `popArt`.");
  const average = (x: Tensor) => (alive ? meanWhere(alive, x) : mean(x));
  const share = valueOf(rate);
  const moved = (from: Tensor, to: Tensor | number) => add(from, mul(sub(to, from), share));
  const scale: ReturnScale = {
    mean: moved(weights.scale.mean, average(returns)),
    square: moved(weights.scale.square, average(square(returns))),
    weight: moved(weights.scale.weight, 1),
  };
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
