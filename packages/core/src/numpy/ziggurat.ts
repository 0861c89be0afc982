import type { PCG64 } from "./pcg64.ts";
import {
  exponentialTail,
  exponentialZiggurat,
  normalTail,
  normalZiggurat,
  type Ziggurat,
} from "./ziggurat-tables.ts";

// Made at the first draw: the exact arithmetic takes a few milliseconds that most programs need not spend.
let normal: Ziggurat | undefined;
let exponential: Ziggurat | undefined;

/** Draws from the normal distribution of mean 0 and variance 1. */
export function standardNormal(bits: PCG64): number {
  normal ??= normalZiggurat();
  for (;;) {
    bits.next64();
    const { hi, lo } = bits;
    // From the lowest bit: 8 choose the layer, 1 the sign, 52 the place; the top 3 are not used.
    const layer = lo & 0xff;
    const place = (hi & 0x1fffffff) * 2 ** 23 + (lo >>> 9);
    const x = place * normal.width[layer] * (1 - ((lo >>> 7) & 2));
    if (place < normal.inside[layer]) return x;
    if (layer === 0) return (lo & 0x20000) === 0 ? tailOfNormal(bits) : -tailOfNormal(bits);
    if (isUnder(bits, normal.height, layer, Math.exp(-0.5 * x * x))) return x;
  }
}

/** Draws beyond the last layer (G. Marsaglia, "Generating a Variable from the Tail of the Normal Distribution", 1964). */
function tailOfNormal(bits: PCG64): number {
  for (;;) {
    const beyond = -inverseTail * Math.log1p(-bits.nextDouble());
    const y = -Math.log1p(-bits.nextDouble());
    if (y + y > beyond * beyond) return normalTail + beyond;
  }
}

const inverseTail = 0.27366123732975827;

/** Draws from the exponential distribution of mean 1. */
export function standardExponential(bits: PCG64): number {
  exponential ??= exponentialZiggurat();
  for (;;) {
    bits.next64();
    const { hi, lo } = bits;
    const layer = (lo >>> 3) & 0xff;
    const place = hi * 2 ** 21 + (lo >>> 11);
    const x = place * exponential.width[layer];
    if (place < exponential.inside[layer]) return x;
    if (layer === 0) return exponentialTail - Math.log1p(-bits.nextDouble());
    if (isUnder(bits, exponential.height, layer, Math.exp(-x))) return x;
  }
}

/** Whether a point at a random height within the layer lies under the density. */
function isUnder(bits: PCG64, height: Float64Array, layer: number, density: number): boolean {
  const base = height[layer];
  return (height[layer - 1] - base) * bits.nextDouble() + base < density;
}
