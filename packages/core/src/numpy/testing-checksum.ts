/** A checksum of the bits of doubles, for tests that compare thousands of numbers (FNV-1a on words, with a shift). */
export function checksum(values: Float64Array): number {
  let sum = 2166136261;
  for (const word of new Uint32Array(values.buffer, values.byteOffset, 2 * values.length)) {
    sum = Math.imul(sum ^ word, 16777619) >>> 0;
    sum ^= sum >>> 15;
  }
  return sum >>> 0;
}
