import { type Seed, SeedSequence } from "./seed-sequence.ts";

const snapshotLength = 10;

/**
 * The bit generator of NumPy's `default_rng`: a 128-bit linear congruential generator whose output is permuted by
 * XSL-RR (M. E. O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms for Random
 * Number Generation", 2014).
 */
export class PCG64 {
  /** The seed sequence of this generator and its children. */
  readonly seeds: SeedSequence;
  // 0 to 3: the state, lowest word first. 4 to 7: the increment. 8: whether a half is buffered. 9: that half.
  // 10 and 11: the last output, high and low. A typed array, since some engines allocate numbers above 2^31 in
  // ordinary fields; and with literal indices, since engines do not treat module constants as constants: 10 % of the time.
  private readonly words = new Uint32Array(12);

  constructor(seed?: Seed | SeedSequence) {
    this.seeds = seed instanceof SeedSequence ? seed : new SeedSequence(seed);
    const words = this.words;
    // Two 128-bit numbers, each as two 64-bit halves with the high one first: hence the "^ 2".
    const seeded = this.seeds.generateState(8);
    for (let i = 0; i < 4; i++) {
      const below = i === 0 ? 1 : seeded[4 + ((i - 1) ^ 2)] >>> 31;
      words[4 + i] = (seeded[4 + (i ^ 2)] << 1) | below;
    }
    this.next64();
    let sum = 0;
    for (let i = 0; i < 4; i++) {
      sum = words[i] + seeded[i ^ 2] + (sum > 0xffffffff ? 1 : 0);
      words[i] = sum;
    }
    this.next64();
  }

  /** The high 32 bits of the last output of `next64`. */
  get hi(): number {
    return this.words[10];
  }

  /** The low 32 bits of the last output of `next64`. */
  get lo(): number {
    return this.words[11];
  }

  /** Generates 64 bits and leaves them in `hi` and `lo`. */
  next64(): void {
    // The multiplier 0x2360ED051FC65DA44385DF649FCCF645, lowest word first.
    const m0 = 0x9fccf645;
    const m1 = 0x4385df64;
    const m2 = 0x1fc65da4;
    const m3 = 0x2360ed05;
    const perWord = 2 ** -32;
    const rounder = 2 ** 52; // added to a smaller number and taken away again, it rounds to an integer
    const words = this.words;
    const a = words[0];
    const b = words[1];
    const c = words[2];
    const i0 = words[4];
    const i1 = words[5];
    const i2 = words[6];
    // state = state * multiplier + increment. The low word of each column is exact by integer products. Its
    // carry comes from a product in doubles: that is off by less than 2^13, and the remainder after subtracting the low
    // word is a multiple of 2^32, so rounding makes it exact.
    const s0 = (Math.imul(a, m0) + i0) >>> 0;
    const carry0 = (a * m0 + i0 - s0) * perWord + rounder - rounder;
    const low1 = (Math.imul(a, m1) + Math.imul(b, m0) + i1) >>> 0;
    const carry1 = (a * m1 + b * m0 + i1 - low1) * perWord + rounder - rounder;
    const low2 = (Math.imul(a, m2) + Math.imul(b, m1) + Math.imul(c, m0) + i2) >>> 0;
    const carry2 = (a * m2 + b * m1 + c * m0 + i2 - low2) * perWord + 0.5;
    const sum1 = low1 + carry0;
    const sum2 = low2 + carry1 + Math.floor(sum1 * perWord);
    const low3 = Math.imul(a, m3) + Math.imul(b, m2) + Math.imul(c, m1) + Math.imul(words[3], m0) + words[7];
    const s1 = sum1 | 0;
    const s2 = sum2 | 0;
    const s3 = (low3 + (carry2 | 0) + ((sum2 * perWord) | 0)) | 0;
    words[0] = s0;
    words[1] = s1;
    words[2] = s2;
    words[3] = s3;
    // The halves xor-ed, rotated right by the top six bits. Without branches, which would be unpredictable.
    const high = s1 ^ s3;
    const low = s0 ^ s2;
    const swap = (high ^ low) & -(s3 >>> 31);
    const p = high ^ swap;
    const q = low ^ swap;
    const turn = (s3 >>> 26) & 31;
    words[10] = (p >>> turn) | ((q << 1) << (31 - turn));
    words[11] = (q >>> turn) | ((p << 1) << (31 - turn));
  }

  /** Generates 32 bits; two calls share one 64-bit output, its low half first, as in NumPy. */
  next32(): number {
    return this.nextInt32() >>> 0;
  }

  /** The 32 bits of {@link next32} as a signed integer: engines box numbers above 2^31 where a call is not inlined. */
  nextInt32(): number {
    const words = this.words;
    if (words[8] !== 0) {
      words[8] = 0;
      return words[9] | 0;
    }
    this.next64();
    words[8] = 1;
    words[9] = words[10];
    return words[11] | 0;
  }

  /** Generates a multiple of 2^-53 in [0, 1). */
  nextDouble(): number {
    this.next64();
    return (this.words[10] * 0x200000 + (this.words[11] >>> 11)) * 2 ** -53;
  }

  /** Whether {@link nextDouble} would be below this; returning a boolean avoids boxing a double. */
  nextBelow(probability: number): boolean {
    this.next64();
    return (this.words[10] * 0x200000 + (this.words[11] >>> 11)) * 2 ** -53 < probability;
  }

  /** Saves the whole state as ten words: state and increment (lowest word first), whether a half is buffered, the half. */
  save(into: Uint32Array = new Uint32Array(snapshotLength)): Uint32Array {
    for (let i = 0; i < snapshotLength; i++) into[i] = this.words[i];
    return into;
  }

  /** Restores a saved state, also from plain arrays, as from JSON. */
  restore(snapshot: ArrayLike<number>): void {
    if (snapshot.length !== snapshotLength) {
      throw new RangeError(`A PCG64 snapshot has ${snapshotLength} words; this one has ${snapshot.length}.`);
    }
    for (let i = 0; i < snapshotLength; i++) this.words[i] = snapshot[i];
  }
}
