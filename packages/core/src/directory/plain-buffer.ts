import { readPlain } from "./plain-files.ts";

/** The bytes of a regular file as Node's own type, which exported declarations must not name: browsers lack it. */
export function readBuffer(path: string): Buffer<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = readPlain(path);
  return Buffer.from(buffer, byteOffset, byteLength);
}
