import type { Tensor } from "../tensor.ts";
import { customGradient } from "../transform/custom.ts";
import { add, exp, log, lt, mul, neg, sqrt, square, sub, where } from "./arithmetic.ts";

/** A polynomial, highest coefficient first. */
function polynomial(x: Tensor, coefficients: readonly number[]): Tensor {
  return coefficients.slice(1).reduce<Tensor>((r, c) => add(mul(r, x), c), add(mul(x, 0), coefficients[0]));
}

const central = [
  2.81022636e-8, 3.43273939e-7, -3.5233877e-6, -4.39150654e-6, 2.1858087e-4, -1.25372503e-3, -4.17768164e-3,
  0.246640727, 1.50140941,
];
const tail = [
  -2.00214257e-4, 1.00950558e-4, 1.34934322e-3, -3.67342844e-3, 5.73950773e-3, -7.6224613e-3, 9.43887047e-3,
  1.00167406, 2.83297682,
];

/** The inverse of erf on [-1, 1] (Giles, 2010, single precision); infinite at ±1, NaN outside. */
export const erfInverse = customGradient(
  (x: Tensor) => {
    const w = neg(log(sub(1, square(x))));
    const p = where(lt(w, 5), polynomial(sub(w, 2.5), central), polynomial(sub(sqrt(w), 3), tail));
    // At ±1 w is infinite, and its polynomial would be infinity minus infinity.
    return where(lt(w, Infinity), mul(p, x), mul(x, w));
  },
  (g, y) => [mul(g, mul(exp(square(y)), Math.sqrt(Math.PI) / 2))],
);
