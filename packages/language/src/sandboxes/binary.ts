/** Bytes of the WebAssembly binary format. */
export type Bytes = Uint8Array | readonly number[];

/** Reads the WebAssembly binary format. */
export class Reader {
  at = 0;
  readonly bytes: Uint8Array;
  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
  byte(): number {
    return this.bytes[this.at++];
  }
  /** A LEB128 number of any length; only the values of short ones are used. */
  number(): number {
    let [value, shift, byte] = [0, 0, 0];
    do {
      byte = this.byte();
      value |= (byte & 127) << shift;
      shift += 7;
    } while (byte & 128);
    return value >>> 0;
  }
  numbers(count: number): void {
    for (let i = 0; i < count; i++) this.number();
  }
  skip(count: number): void {
    this.at += count;
  }
}

/** Encodes a number in LEB128. */
export function leb(value: number): number[] {
  const out: number[] = [];
  for (; value > 127; value >>>= 7) out.push((value & 127) | 128);
  return [...out, value];
}

export function joined(parts: readonly Bytes[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** The sections of a module, in order. */
export function sectionsOf(bytes: Uint8Array): { id: number; body: Uint8Array }[] {
  const [reader, out] = [new Reader(bytes), [] as { id: number; body: Uint8Array }[]];
  reader.skip(8);
  while (reader.at < bytes.length) {
    const [id, length] = [reader.byte(), reader.number()];
    out.push({ id, body: bytes.subarray(reader.at, reader.at + length) });
    reader.skip(length);
  }
  return out;
}

/** A section's list with entries appended. */
export function longer(body: Uint8Array, more: readonly number[], count: number): Uint8Array {
  const reader = new Reader(body);
  const before = reader.number();
  return joined([leb(before + count), body.subarray(reader.at), more]);
}
