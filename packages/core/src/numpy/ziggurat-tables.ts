import { expMinus, fixed, logRatio, over, times, toNumber } from "./fixed-point.ts";

/** A decreasing density cut into 256 layers of equal area; layer 0 holds the tail, layer 1 the peak. */
export interface Ziggurat {
  /** Turns a random integer into an abscissa within the layer. */
  readonly width: Float64Array;
  /** Integers below this lie under the density without a further check. */
  readonly inside: Float64Array;
  /** The density at the right edge of the layer. */
  readonly height: Float64Array;
}

/** Where the tail of the normal distribution starts. */
export const normalTail = 3.6541528853610088;
/** Where the tail of the exponential distribution starts. */
export const exponentialTail = 7.69711747013105;

function blank(): Ziggurat {
  return { width: new Float64Array(256), inside: new Float64Array(256), height: new Float64Array(256) };
}

/**
 * The layers of the normal distribution for integers of 52 bits (G. Marsaglia and W. W. Tsang, "The Ziggurat Method
 * for Generating Random Variables", 2000).
 *
 * NumPy's were computed in doubles, each layer from the last, so their rounding errors add up. They are repeated
 * here step by step, with functions that round correctly, and come out the same to the last bit.
 */
export function normalZiggurat(): Ziggurat {
  const { width, inside, height } = blank();
  const scale = 2 ** 52;
  const area = 0.004928673233974652;
  let x = normalTail;
  let exponent = fixed(0.5 * x * x);
  let density = expMinus(exponent);
  let f = toNumber(density);
  width[255] = x / scale;
  height[255] = f;
  width[0] = area / f / scale;
  height[0] = 1;
  for (let i = 254; i > 0; i--) {
    const above = fixed(area / x + f);
    exponent -= logRatio(above, density);
    density = above;
    x = Math.sqrt(2 * toNumber(exponent));
    // e^(-x²/2) of the rounded x, from the density before the rounding: two terms of the series suffice.
    const rounding = fixed(0.5 * x * x) - exponent;
    f = toNumber(density - times(density, rounding - times(rounding, rounding) / 2n));
    // The one entry where NumPy's exponential function was one unit in the last place off.
    if (i === 38) f = 0.6773880362187735;
    width[i] = x / scale;
    height[i] = f;
  }
  inside[0] = Math.floor((width[255] / width[0]) * scale);
  // Added and subtracted to round halves to even: at this magnitude doubles are integers.
  for (let i = 2; i < 256; i++) inside[i] = (width[i - 1] / width[i]) * scale + scale - scale;
  return { width, inside, height };
}

/** The layers of the exponential distribution for integers of 53 bits; NumPy's are exact and rounded once, so are these. */
export function exponentialZiggurat(): Ziggurat {
  const { width, inside, height } = blank();
  const scale = 2 ** 53;
  // 7.69711747013104971404462804811408952334, in units of 2^-128.
  const tail = (769711747013104971404462804811408952334n << 128n) / 10n ** 38n;
  let x = tail;
  let density = expMinus(tail);
  const area = times(tail + fixed(1), density);
  const put = (i: number, right: bigint, left: bigint, top: bigint): void => {
    width[i] = toNumber(right) / scale;
    // Truncated to 52 bits first: NumPy's integers were one bit shorter when the table was made.
    inside[i] = 2 * Number(over(left, right) >> 76n);
    height[i] = toNumber(top);
  };
  put(0, over(area, density), tail, fixed(1));
  for (let i = 255; i > 0; i--) {
    const above = density + over(area, x);
    // The left edge of layer 1 is the axis; the recursion would miss it by the error in the tail's last digit.
    const left = i > 1 ? x - logRatio(above, density) : 0n;
    put(i, x, left, density);
    x = left;
    density = above;
  }
  return { width, inside, height };
}
