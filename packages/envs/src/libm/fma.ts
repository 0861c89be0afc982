/**
 * `r[to]` = `r[a]` × `r[b]` + `r[c]`, rounded once, as by a fused multiply-add, which JavaScript lacks. Product
 * and sum are kept with their rounding errors (Dekker, 1971; Knuth's sum). For numbers whose products neither
 * overflow nor come near the smallest double. Numbers stay in an array of registers, because V8 allocates every
 * double passed to a function.
 */
export function fuse(r: Float64Array, to: number, a: number, b: number, c: number): void {
  const x = r[a];
  const y = r[b];
  const z = r[c];
  const product = x * y;
  // The exact product lies between the two neighbours of the rounded one. Next to a large sum they often make no
  // difference.
  const above = z + product * larger;
  if (above === z + product * smaller) {
    r[to] = above;
    return;
  }
  const xScaled = x * 134217729;
  const yScaled = y * 134217729;
  // The upper 26 bits of each.
  const xHigh = xScaled - (xScaled - x);
  const yHigh = yScaled - (yScaled - y);
  const xLow = x - xHigh;
  const yLow = y - yHigh;
  const productRest = xLow * yLow - (product - xHigh * yHigh - xLow * yHigh - xHigh * yLow);
  const sum = product + z;
  const part = sum - product;
  const rest = product - (sum - part) + (z - part) + productRest;
  // The sum of both low parts was rounded, which matters only next to a tie.
  const rounded = sum + rest * larger;
  r[to] = rounded === sum + rest * smaller ? rounded : besideTie(product, productRest, z);
}

const larger = 1 + 2 ** -52;
const smaller = 1 - 2 ** -52;

/**
 * The sum of three, rounded once: the small part is rounded to odd first, which makes double rounding harmless
 * (Boldo and Melquiond, 2008).
 */
function besideTie(product: number, productRest: number, c: number): number {
  const small = c + productRest;
  const sum = product + small;
  return sum + toOdd(restOfSum(c, productRest, small), restOfSum(product, small, sum));
}

/** The rounding error of `a` + `b`. */
function restOfSum(a: number, b: number, sum: number): number {
  const part = sum - a;
  return a - (sum - part) + (b - part);
}

const value = new Float64Array(1);
const bits = new Uint32Array(value.buffer);
/** Which of the two words holds the last bit. */
const last = (() => {
  value[0] = 1 + 2 ** -52;
  return bits[0] === 1 ? 0 : 1;
})();

/** a + b; if inexact, the neighbouring double whose last bit is set. */
function toOdd(a: number, b: number): number {
  const sum = a + b;
  const rest = restOfSum(a, b, sum);
  if (rest === 0) return sum;
  value[0] = sum;
  if (bits[last] & 1) return sum;
  // One unit away from zero if the low part has the sum's sign, else one towards it. An even word becomes the next
  // by its last bit.
  if (rest > 0 === sum > 0) bits[last] |= 1;
  else {
    if (bits[last] === 0) bits[1 - last] -= 1;
    bits[last] -= 1;
  }
  return value[0];
}
