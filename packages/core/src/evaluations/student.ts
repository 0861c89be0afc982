import { real } from "@reins/tensor";

/**
 * Quantile of Student's t distribution for 1 degree of freedom or more: `studentQuantile(0.975, 4)` is 2.776445. The relative error is
 * about 1e-13; it grows towards the probabilities 0 and 1.
 */
export function studentQuantile(probability: number, degrees: number): number {
  if (!(probability >= 0 && probability <= 1 && degrees >= 1)) return Number.NaN;
  if (probability < 0.5) return -studentQuantile(1 - probability, degrees);
  if (probability === 0.5) return 0;
  if (probability === 1) return Number.POSITIVE_INFINITY;
  const within = 2 * probability - 1;
  let [low, high] = [0, 2];
  while (centralProbability(high, degrees) < within) [low, high] = [high, 2 * high];
  for (;;) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) return low;
    if (centralProbability(middle, degrees) <= within) low = middle;
    else high = middle;
  }
}

/** Probability of a value from -t to t: the regularised incomplete beta function of ½ and ν/2 at t² / (ν + t²). */
function centralProbability(t: number, degrees: number): number {
  const a = degrees / 2;
  const [x, y] = [(t * t) / (degrees + t * t), degrees / (degrees + t * t)];
  const logFront = logGammaRatio(a) + 0.5 * real.log(x / Math.PI) - a * real.log1p((t * t) / degrees);
  const front = real.exp(logFront);
  return x < 0.5 ? 2 * front * betaSeries(x, a) : 1 - (front / a) * betaFraction(y, a);
}

/** The power series of the incomplete beta function of ½ and `a`: all terms are positive, so no digits cancel. */
function betaSeries(x: number, a: number): number {
  let [sum, term] = [1, 1];
  for (let k = 0; term > 1e-17 * sum; k++) {
    term *= ((a + 0.5 + k) / (1.5 + k)) * x;
    sum += term;
  }
  return sum;
}

/** The continued fraction of the incomplete beta function of `a` and ½, by Lentz's method, for `x` up to ½. */
function betaFraction(x: number, a: number): number {
  let c = 1;
  let d = 1 / (1 - ((a + 0.5) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; Math.abs(c * d - 1) > 1e-15; m++) {
    for (const term of [
      (m * (0.5 - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)),
      (-(a + m) * (a + 0.5 + m) * x) / ((a + 2 * m) * (a + 2 * m + 1)),
    ]) {
      d = 1 / (1 + term * d);
      c = 1 + term / c;
      fraction *= c * d;
    }
  }
  return fraction;
}

/** log(Γ(a + ½) / Γ(a)): the asymptotic series, from which smaller arguments are reached by recurrence. */
function logGammaRatio(a: number): number {
  let [at, product] = [a, 1];
  for (; at < 16; at++) product *= at / (at + 0.5);
  const square = at * at;
  const series =
    (-1 / 8 + (1 / 192 + (-1 / 640 + (17 / 14336 - 31 / 18432 / square) / square) / square) / square) / at;
  return 0.5 * real.log(at) + series + real.log(product);
}
