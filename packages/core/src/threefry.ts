/** Rotation of the second word in each round, repeated. */
const turns = [13, 15, 26, 6, 17, 29, 16, 24];

/**
 * Threefry-2x32 with 20 rounds (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011) on the host: encrypts two words with
 * the key in `words` and leaves the result there. It is a bijection of the two words for every key. The random numbers of tensors come from
 * the same function.
 */
export function threefry(words: [number, number], first: number, second: number): void {
  const a = words[0];
  const b = words[1];
  const keys = [a, b, a ^ b ^ 0x1bd11bda];
  let x = (first + a) | 0;
  let y = (second + b) | 0;
  for (let round = 0; round < 20; round++) {
    const turn = turns[round % 8];
    x = (x + y) | 0;
    y = ((y << turn) | (y >>> (32 - turn))) ^ x;
    if (round % 4 !== 3) continue;
    const block = (round + 1) / 4;
    x = (x + keys[block % 3]) | 0;
    y = (y + keys[(block + 1) % 3] + block) | 0;
  }
  words[0] = x >>> 0;
  words[1] = y >>> 0;
}
