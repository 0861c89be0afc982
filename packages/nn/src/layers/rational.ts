import { abs, add, div, mul, slice, type Tensor, tensor } from "@reins/tensor";
import type { Layer } from "../layer.ts";

/** Coefficients in ascending powers: from the constant on in the numerator, from x on in the denominator, whose constant is 1. */
export type RationalParams = { numerator: Tensor; denominator: Tensor };

/** |x| is nearly (a + b x² + c x⁴) / (1 + d x² + e x⁴) for x from -3 to 3: least squares. */
const [a, b, c, d, e] = [0.06743, 3.34688, 1.88911, 3.99192, 0.30294];

/** (x + |x|) / 2 with a slope of 0.01 below 0: a leaky ReLU. */
const [odd, even] = [0.505, 0.495];
const leaky = {
  numerator: [even * a, odd, even * b, odd * d, even * c, odd * e],
  denominator: [0, d, 0, e],
};

/**
 * A learned activation, P(x) / (1 + |Q(x)|) with polynomials of degrees 5 and 4, which never has a pole. It is initialised as a leaky ReLU.
 * Molina et al., "Padé Activation Units" (2020); Delfosse et al., "Adaptive Rational Activations to Boost Deep Reinforcement Learning" (2024).
 */
export function rational(): Layer<RationalParams> {
  return {
    init: () => ({ numerator: tensor(leaky.numerator), denominator: tensor(leaky.denominator) }),
    apply: ({ numerator, denominator }, x) =>
      div(polynomial(numerator, x), add(abs(mul(polynomial(denominator, x), x)), 1)),
  };
}

/** Horner's scheme. */
function polynomial(coefficients: Tensor, x: Tensor): Tensor {
  const last = coefficients.shape[0] - 1;
  const at = (i: number) => slice(coefficients, [[i, i + 1]]);
  let sum = at(last);
  for (let i = last - 1; i >= 0; i--) sum = add(mul(sum, x), at(i));
  return sum;
}
