// Signed throughout: the engine does not box signed 32-bit numbers.
const table = new Int32Array(256);
for (let n = 0; n < 256; n++) {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0x82f63b78 : c >>> 1;
  table[n] = c;
}

/** The Castagnoli checksum of some bytes. */
export function crc32c(bytes: Uint8Array, from = 0, to = bytes.length): number {
  let c = -1;
  for (let i = from; i < to; i++) c = table[(c ^ bytes[i]) & 255] ^ (c >>> 8);
  return ~c >>> 0;
}

/** A masked checksum as in TFRecord files, since a checksum over bytes that contain checksums is weak. */
export function maskedCrc(bytes: Uint8Array, from?: number, to?: number): number {
  const c = crc32c(bytes, from, to);
  return (((c >>> 15) | (c << 17)) + 0xa282ead8) >>> 0;
}
