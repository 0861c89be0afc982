import { real } from "@reins/tensor";
import type { PCG64 } from "./pcg64.ts";
import {
  exponentialTail,
  exponentialZiggurat,
  normalTail,
  normalZiggurat,
  type Ziggurat,
} from "./ziggurat-tables.ts";

// Created at the first sample: the exact arithmetic takes a few milliseconds that most programs do not need.
let normal: Ziggurat | undefined;
let exponential: Ziggurat | undefined;

// A number returned by a function that is not inlined is allocated, so the samplers write into an array.
const drawn = new Float64Array(1);

/** Samples from the standard normal distribution. */
export function standardNormal(bits: PCG64): number {
  drawNormal(bits, drawn, 0);
  return drawn[0];
}

/** Samples from the exponential distribution of mean 1. */
export function standardExponential(bits: PCG64): number {
  drawExponential(bits, drawn, 0);
  return drawn[0];
}

/** Writes what `standardNormal` would return. */
export function drawNormal(bits: PCG64, out: Float64Array, index: number): void {
  normal ??= normalZiggurat();
  for (;;) {
    bits.next64();
    const lo = bits.lo;
    // From the lowest bit: 8 choose the layer, 1 the sign, 52 the position; the top 3 are not used.
    const layer = lo & 0xff;
    const place = (bits.hi & 0x1fffffff) * 2 ** 23 + (lo >>> 9);
    const x = place * normal.width[layer] * (1 - ((lo >>> 7) & 2));
    out[index] = x;
    if (place < normal.inside[layer]) return;
    if (layer === 0) {
      out[index] = normalBeyond(bits) * (1 - ((lo >>> 16) & 2));
      return;
    }
    if (isUnder(bits, normal.height, layer, real.exp(-0.5 * x * x))) return;
  }
}

/** Samples from the tail (G. Marsaglia, "Generating a Variable from the Tail of the Normal Distribution", 1964). */
function normalBeyond(bits: PCG64): number {
  const inverse = 0.27366123732975827; // 1 / normalTail, rounded like NumPy's
  for (;;) {
    const x = -inverse * real.log1p(-bits.nextDouble());
    const y = -real.log1p(-bits.nextDouble());
    if (y + y > x * x) return normalTail + x;
  }
}

/** Writes what `standardExponential` would return. */
function drawExponential(bits: PCG64, out: Float64Array, index: number): void {
  exponential ??= exponentialZiggurat();
  for (;;) {
    bits.next64();
    const lo = bits.lo;
    // From the lowest bit: 3 are not used, 8 choose the layer, 53 the position.
    const layer = (lo >>> 3) & 0xff;
    const place = bits.hi * 2 ** 21 + (lo >>> 11);
    const x = place * exponential.width[layer];
    out[index] = x;
    if (place < exponential.inside[layer]) return;
    if (layer === 0) {
      out[index] = exponentialTail - real.log1p(-bits.nextDouble());
      return;
    }
    if (isUnder(bits, exponential.height, layer, real.exp(-x))) return;
  }
}

/** Whether a point at a random height within the layer lies under the density. */
function isUnder(bits: PCG64, height: Float64Array, layer: number, density: number): boolean {
  const base = height[layer];
  return (height[layer - 1] - base) * bits.nextDouble() + base < density;
}
