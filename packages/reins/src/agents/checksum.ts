import { fail } from "@reins/core";
import type { Tensor } from "@reins/tensor";

/** Metadata key of the checksum. */
export const sumPlace = "reins-sum";

/** Refuses a file whose text or tensors do not match its checksum. Files without a checksum pass. */
export function checkSum(
  metadata: { readonly [name: string]: string },
  text: string,
  tensors: ReadonlyMap<string, Tensor>,
  source: string,
): void {
  const sum = metadata[sumPlace];
  if (sum !== undefined && sum !== checksumOf(text, tensors))
    fail(source, "the file is damaged: its checksum does not match. Copy or download it again.");
}

/** By 32-bit words, four times as fast as by bytes. It detects damage, not tampering. */
function mixed(sum: number, bytes: Uint8Array): number {
  let h = sum | 0;
  const whole = bytes.length & ~3;
  for (let i = 0; i < whole; i += 4) {
    const word = bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24);
    h = Math.imul(h ^ word, 0x01000193);
    h ^= h >>> 15;
  }
  for (let i = whole; i < bytes.length; i++) h = Math.imul(h ^ bytes[i], 0x01000193);
  return h ^ bytes.length;
}

/** Checksum of a text and of named tensors, independent of their order. */
export function checksumOf(text: string, tensors: ReadonlyMap<string, Tensor>): string {
  const encoder = new TextEncoder();
  let sum = mixed(0x811c9dc5, encoder.encode(text));
  for (const [name, { data }] of tensors) {
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    sum = (sum + mixed(mixed(0x811c9dc5, encoder.encode(name)), bytes)) | 0;
  }
  return (sum >>> 0).toString(16).padStart(8, "0");
}
