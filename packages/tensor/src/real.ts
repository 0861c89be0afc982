/**
 * Functions of plain numbers with the same bits on every machine. Those of `Math` differ in their last bits between engines and
 * processors (Node 20 on ARM and on x86, for example), and so would all numbers that a run computes from them. Only +, −, ·, / and the
 * square root are used here, which are correctly rounded everywhere. Coefficients of fdlibm (Sun Microsystems, 1993); errors of one or two
 * units in the last place.
 */

const ln2High = 6.9314718036912381649e-1;
const ln2Low = 1.90821492927058770002e-10;

const bits = new DataView(new ArrayBuffer(8));

/** 2ᵏ for a normal result. */
function powerOfTwo(k: number): number {
  bits.setUint32(0, (k + 1023) << 20);
  bits.setUint32(4, 0);
  return bits.getFloat64(0);
}

/** eˣ. */
export function exp(x: number): number {
  if (!(x < 709.782712893384)) return x !== x ? x : Number.POSITIVE_INFINITY;
  if (x < -745.2) return 0;
  const k = Math.round(x / (ln2High + ln2Low));
  const high = x - k * ln2High;
  const low = k * ln2Low;
  const r = high - low;
  const t = r * r;
  const c =
    r -
    t *
      (1.66666666666666019037e-1 +
        t *
          (-2.77777777770155933842e-3 +
            t * (6.6137563214379343612e-5 + t * (-1.65339022054652515e-6 + t * 4.1381367970572384604e-8))));
  const y = 1 - (low - (r * c) / (2 - c) - high);
  // In two steps where 2ᵏ itself is not a normal number.
  const half = Math.trunc(k / 2);
  return y * powerOfTwo(half) * powerOfTwo(k - half);
}

/** The natural logarithm. */
export function log(x: number): number {
  if (!(x > 0)) return x === 0 ? Number.NEGATIVE_INFINITY : Number.NaN;
  if (x === Number.POSITIVE_INFINITY) return x;
  let k = 0;
  let value = x;
  if (value < 2.2250738585072014e-308) {
    value *= 18014398509481984;
    k -= 54;
  }
  bits.setFloat64(0, value);
  const word = bits.getUint32(0);
  k += (word >>> 20) - 1023;
  bits.setUint32(0, (word & 0xfffff) | 0x3ff00000);
  let m = bits.getFloat64(0);
  if (m > Math.SQRT2) {
    m /= 2;
    k++;
  }
  const f = m - 1;
  const s = f / (2 + f);
  const z = s * s;
  const w = z * z;
  const even = w * (3.999999999940941908e-1 + w * (2.222219843214978396e-1 + w * 1.531383769920937332e-1));
  const odd =
    z *
    (6.66666666666673513e-1 +
      w * (2.857142874366239149e-1 + w * (1.818357216161805012e-1 + w * 1.479819860511658591e-1)));
  const half = 0.5 * f * f;
  return k * ln2High - (half - (s * (half + even + odd) + k * ln2Low) - f);
}

/** log(1 + x), accurate for small x too (Kahan). */
export function log1p(x: number): number {
  const u = 1 + x;
  if (u === 1 || u === Number.POSITIVE_INFINITY) return x;
  return (log(u) * x) / (u - 1);
}

/** eˣ − 1, accurate for small x too (Kahan). */
export function expm1(x: number): number {
  const u = exp(x);
  if (u === 1) return x;
  if (u === Number.POSITIVE_INFINITY || u - 1 === -1) return u - 1;
  const scaled = (u - 1) * x;
  return scaled === Number.POSITIVE_INFINITY ? u - 1 : scaled / log(u);
}

/** `x` to the power of `y`: by multiplications if `y` is an integer. */
export function pow(x: number, y: number): number {
  if (!Number.isInteger(y)) return y === 0.5 ? Math.sqrt(x) : exp(y * log(x));
  if (Math.abs(y) > 1024) return exp(y * log(Math.abs(x))) * (x < 0 && y % 2 !== 0 ? -1 : 1);
  let result = 1;
  let square = x;
  for (let n = Math.abs(y); n > 0; n = Math.floor(n / 2)) {
    if (n % 2 === 1) result *= square;
    square *= square;
  }
  return y < 0 ? 1 / result : result;
}

/** The hyperbolic tangent. */
export function tanh(x: number): number {
  if (Math.abs(x) > 22) return Math.sign(x);
  const e = expm1(2 * x);
  return e / (e + 2);
}

/** The sine. */
export const sin = (x: number) => turned(x, 0);
/** The cosine. */
export const cos = (x: number) => turned(x, 1);

/** The sine of x plus `quarters` quarter turns. */
function turned(x: number, quarters: number): number {
  if (!(Math.abs(x) < 1e6))
    return Math.abs(x) < Number.POSITIVE_INFINITY ? turned(x % (2 * Math.PI), quarters) : Number.NaN;
  const n = Math.round(x / (Math.PI / 2));
  // π/2 in three parts, the first two with 33 bits, so that their products with n are exact.
  const first = x - n * 1.57079632673412561417;
  const second = n * 6.0771005063039659766e-11;
  const high = first - second;
  const rest = n * 2.02226624879595063154e-21 - (first - high - second);
  const r = high - rest;
  const low = high - r - rest;
  const at = (((n + quarters) % 4) + 4) % 4;
  const value = at % 2 === 0 ? nearSine(r, low) : nearCosine(r, low);
  return at < 2 ? value : -value;
}

/** The sine of x + low for x within π/4 of 0. */
function nearSine(x: number, low: number): number {
  const z = x * x;
  const v = z * x;
  const r =
    8.33333333332248946124e-3 +
    z *
      (-1.98412698298579493134e-4 +
        z * (2.75573137070700676789e-6 + z * (-2.50507602534068634195e-8 + z * 1.58969099521155010221e-10)));
  return x - (z * (0.5 * low - v * r) - low - v * -1.66666666666666324348e-1);
}

/** The cosine of x + low for x within π/4 of 0. */
function nearCosine(x: number, low: number): number {
  const z = x * x;
  const r =
    z *
    (4.16666666666666019037e-2 +
      z *
        (-1.38888888888741095749e-3 +
          z *
            (2.48015872894767294178e-5 +
              z *
                (-2.75573143513906633035e-7 +
                  z * (2.0875723212981748279e-9 + z * -1.13596475577881948265e-11)))));
  const half = 0.5 * z;
  const w = 1 - half;
  return w + (1 - w - half + (z * r - x * low));
}
