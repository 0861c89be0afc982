/** The seed of a random stream: a non-negative integer of any size, or a list of them. */
export type Seed = number | bigint | readonly (number | bigint)[];

const poolSize = 4;

/**
 * Turns a seed into well mixed words, and into seeds for independent children, like `numpy.random.SeedSequence`.
 *
 * The mixing is M. E. O'Neill's `seed_seq` ("Developing a seed_seq Alternative", 2015) with NumPy's constants.
 */
export class SeedSequence {
  /** The seed this sequence was made from. */
  readonly entropy: Seed;
  /** The path from the root sequence to this one: the index of each child on the way. */
  readonly spawnKey: readonly number[];
  private readonly pool = new Uint32Array(poolSize);
  private children = 0;

  /** Without a seed, 128 bits come from the operating system. */
  constructor(entropy: Seed = systemEntropy(), spawnKey: readonly number[] = []) {
    this.entropy = entropy;
    this.spawnKey = spawnKey;
    mixInto(this.pool, assemble(entropy, spawnKey));
  }

  /** Returns `count` words of 32 or 64 bits that depend on every bit of the seed; the same ones at each call. */
  generateState(count: number, bits?: 32): Uint32Array;
  generateState(count: number, bits: 64): BigUint64Array;
  generateState(count: number, bits: 32 | 64 = 32): Uint32Array | BigUint64Array {
    const words = new Uint32Array(bits === 64 ? 2 * count : count);
    let factor = 0x8b51f9dd;
    for (let i = 0; i < words.length; i++) {
      const word = this.pool[i % poolSize] ^ factor;
      factor = Math.imul(factor, 0x58f38ded);
      words[i] = folded(Math.imul(word, factor));
    }
    if (bits === 32) return words;
    // The low half comes first, regardless of the byte order of the machine, as in NumPy.
    return BigUint64Array.from({ length: count }, (_, i) => {
      return (BigInt(words[2 * i + 1]) << 32n) | BigInt(words[2 * i]);
    });
  }

  /** Returns `count` new sequences, independent of this one, of each other, and of those spawned before. */
  spawn(count: number): SeedSequence[] {
    return Array.from(
      { length: count },
      () => new SeedSequence(this.entropy, [...this.spawnKey, this.children++]),
    );
  }
}

function mixInto(pool: Uint32Array, entropy: readonly number[]): void {
  let factor = 0x43b0d7e5;
  const hash = (word: number): number => {
    word ^= factor;
    factor = Math.imul(factor, 0x931e8875);
    return folded(Math.imul(word, factor));
  };
  const stir = (into: number, word: number): void => {
    pool[into] = folded(Math.imul(0xca01f9dd, pool[into]) - Math.imul(0x4973f715, hash(word)));
  };
  for (let i = 0; i < poolSize; i++) pool[i] = hash(entropy[i] ?? 0);
  for (let from = 0; from < poolSize; from++) {
    for (let into = 0; into < poolSize; into++) if (from !== into) stir(into, pool[from]);
  }
  for (let from = poolSize; from < entropy.length; from++) {
    for (let into = 0; into < poolSize; into++) stir(into, entropy[from]);
  }
}

function folded(word: number): number {
  return word ^ (word >>> 16);
}

function assemble(entropy: Seed, spawnKey: readonly number[]): number[] {
  const words = (typeof entropy === "object" ? entropy : [entropy]).flatMap(wordsOf);
  const path = spawnKey.flatMap(wordsOf);
  // Padded, so that a short seed's children cannot coincide with the stream of a longer seed.
  while (path.length > 0 && words.length < poolSize) words.push(0);
  return [...words, ...path];
}

/** The 32-bit words of an integer, the lowest first; 0 is one word. */
function wordsOf(seed: number | bigint): number[] {
  const valid = typeof seed === "bigint" ? seed >= 0n : Number.isSafeInteger(seed) && seed >= 0;
  if (!valid) {
    const way =
      seed > 2 ** 53 ? "Numbers above 2^53 are rounded; write it as a bigint." : "Use an integer, 0 or more.";
    throw new RangeError(`Seed ${seed} cannot be used. ${way}`);
  }
  const words: number[] = [];
  let rest = BigInt(seed);
  do {
    words.push(Number(rest & 0xffffffffn));
    rest >>= 32n;
  } while (rest > 0n);
  return words;
}

function systemEntropy(): number[] {
  return [...crypto.getRandomValues(new Uint32Array(poolSize))];
}
