/** Size of a header, and of the blocks that files are padded to. */
const block = 512;

/** Packs files as tar. Names must be short and plain. */
export function tarOf(files: ReadonlyMap<string, Uint8Array>): Uint8Array<ArrayBuffer> {
  const sizes = [...files.values()].map(({ length }) => block + Math.ceil(length / block) * block);
  // Two empty blocks mark the end.
  const out = new Uint8Array(sizes.reduce((a, b) => a + b, 2 * block));
  let at = 0;
  for (const [name, bytes] of files) {
    out.set(tarHeader(name, bytes.length), at);
    out.set(bytes, at + block);
    at += block + Math.ceil(bytes.length / block) * block;
  }
  return out;
}

/** The padding of a file. */
export const tarFiller = (size: number): Uint8Array => new Uint8Array(-size & (block - 1));

/** The header of a file. */
export function tarHeader(name: string, size: number): Uint8Array {
  const out = new Uint8Array(block);
  const put = (text: string, at: number) => out.set(new TextEncoder().encode(text), at);
  const octal = (x: number, digits: number) => x.toString(8).padStart(digits, "0");
  put(name, 0);
  put(octal(0o644, 7), 100);
  put(octal(0, 7), 108);
  put(octal(0, 7), 116);
  put(octal(size, 11), 124);
  put(octal(0, 11), 136);
  // The checksum is computed with blanks in its own field.
  put("        0", 148);
  put("ustar\0" + "00", 257);
  put(
    `${octal(
      out.reduce((a, b) => a + b, 0),
      6,
    )}\0 `,
    148,
  );
  return out;
}

/** Whether bytes are a tar file. */
export const isTar = (bytes: Uint8Array): boolean => textAt(bytes, 257, 5) === "ustar";

/** Unpacks a tar file; keys are base names. */
export function untarred(bytes: Uint8Array): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (let at = 0; at + block <= bytes.length && bytes[at] !== 0; ) {
    const size = Number.parseInt(textAt(bytes, at + 124, 12), 8);
    if (!(size >= 0) || at + block + size > bytes.length) throw new Error("The tar file is truncated.");
    const kind = textAt(bytes, at + 156, 1);
    const name = textAt(bytes, at, 100).split("/").at(-1)!;
    if (name && (kind === "0" || kind === "")) files.set(name, bytes.slice(at + block, at + block + size));
    at += block + Math.ceil(size / block) * block;
  }
  return files;
}

/** A zero-terminated text of a header field. */
const textAt = (bytes: Uint8Array, at: number, most: number): string =>
  new TextDecoder()
    .decode(bytes.subarray(at, at + most))
    .replace(/\0.*$/s, "")
    .trim();
