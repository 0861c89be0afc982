import { boundedInteger, maskedInteger } from "./bounded-integers.ts";
import { checkIntegers, checkRange, checkScale } from "./checks.ts";
import { PCG64 } from "./pcg64.ts";
import type { Seed, SeedSequence } from "./seed-sequence.ts";
import { weightedIndex } from "./weighted-choice.ts";
import { drawNormal, standardExponential, standardNormal } from "./ziggurat.ts";

/** A sequence that `shuffle` can reorder: an array or a typed array. */
interface Sequence<T> {
  readonly length: number;
  [index: number]: T;
}

/**
 * Produces the same numbers as `numpy.random.Generator` from the same seed.
 *
 * @example
 * const rng = defaultRng(42);
 * rng.random(); // 0.7739560485559633
 */
export class Generator {
  /** The bit generator. */
  readonly bits: PCG64;

  constructor(bits: PCG64) {
    this.bits = bits;
  }

  /** Samples a number in [0, 1). */
  random(): number {
    return this.bits.nextDouble();
  }

  /** Samples whether an event of this probability happens, from one number in [0, 1). Returning a boolean avoids boxing a double. */
  chance(probability: number): boolean {
    return this.bits.nextBelow(probability);
  }

  /** Samples a number in [low, high). */
  uniform(low = 0, high = 1): number {
    checkRange(low, high);
    return low + (high - low) * this.bits.nextDouble();
  }

  /** Samples an integer in [low, high), or in [0, low) if that is the only argument. */
  integers(low: number, high?: number): number {
    if (high === undefined) return this.integers(0, low);
    checkIntegers(low, high);
    return low + boundedInteger(this.bits, high - low);
  }

  /** Samples from the standard normal distribution. */
  standardNormal(): number {
    return standardNormal(this.bits);
  }

  /** Samples from a normal distribution. */
  normal(mean = 0, deviation = 1): number {
    checkScale("normal: the standard deviation", deviation);
    return mean + deviation * standardNormal(this.bits);
  }

  /** Samples from the exponential distribution with the given mean. */
  exponential(mean = 1): number {
    checkScale("exponential: the mean", mean);
    return mean * standardExponential(this.bits);
  }

  /** Samples one of `from` (or of 0 to `from` - 1, if it is a number), with the probabilities `p` if given. */
  choice(from: number, p?: ArrayLike<number>): number;
  choice<T>(from: ArrayLike<T>, p?: ArrayLike<number>): T;
  choice<T>(from: number | ArrayLike<T>, p?: ArrayLike<number>): number | T {
    const count = typeof from === "number" ? from : from.length;
    if (!(count > 0)) throw new RangeError("choice: got no elements. Pass at least one.");
    const index = p === undefined ? this.integers(0, count) : weightedIndex(this.bits, count, p);
    return typeof from === "number" ? index : from[index];
  }

  /** Shuffles in place. */
  shuffle<T>(items: Sequence<T>): void {
    for (let i = items.length - 1; i > 0; i--) {
      const j = maskedInteger(this.bits, i);
      const item = items[j];
      items[j] = items[i];
      items[i] = item;
    }
  }

  /** Returns a shuffled copy of an array, or 0 to `of` - 1 in random order. */
  permutation(of: number): Int32Array;
  permutation<T>(of: readonly T[]): T[];
  permutation<T>(of: number | readonly T[]): Int32Array | T[] {
    const items = typeof of === "number" ? Int32Array.from({ length: of }, (_, i) => i) : [...of];
    this.shuffle<number | T>(items);
    return items;
  }

  /** Fills an array as repeated calls of `random` would. */
  fillRandom(out: Float64Array): Float64Array {
    for (let i = 0; i < out.length; i++) out[i] = this.bits.nextDouble();
    return out;
  }

  /** Fills an array as repeated calls of `uniform` would. */
  fillUniform(out: Float64Array, low = 0, high = 1): Float64Array {
    checkRange(low, high);
    const range = high - low;
    for (let i = 0; i < out.length; i++) out[i] = low + range * this.bits.nextDouble();
    return out;
  }

  /** Fills an array as repeated calls of `integers` would. */
  fillIntegers(out: Float64Array, low: number, high: number): Float64Array {
    checkIntegers(low, high);
    const count = high - low;
    for (let i = 0; i < out.length; i++) out[i] = low + boundedInteger(this.bits, count);
    return out;
  }

  /** Fills an array as repeated calls of `normal` would. */
  fillNormal(out: Float64Array, mean = 0, deviation = 1): Float64Array {
    checkScale("fillNormal: the standard deviation", deviation);
    for (let i = 0; i < out.length; i++) {
      drawNormal(this.bits, out, i);
      out[i] = mean + deviation * out[i];
    }
    return out;
  }

  /** Returns `count` generators that are independent of this one and of each other. */
  spawn(count: number): Generator[] {
    return this.bits.seeds.spawn(count).map(defaultRng);
  }

  /** Saves the state of the stream as ten 32-bit words; the number of children is not part of it. */
  save(into?: Uint32Array): Uint32Array {
    return this.bits.save(into);
  }

  /** Restores a saved state. */
  restore(snapshot: ArrayLike<number>): void {
    this.bits.restore(snapshot);
  }
}

/** Returns the generator that `numpy.random.default_rng` returns for this seed; without a seed, a different one each time. */
export function defaultRng(seed?: Seed | SeedSequence): Generator {
  return new Generator(new PCG64(seed));
}
