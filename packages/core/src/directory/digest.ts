import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { openPlain } from "./plain-files.ts";

/** Length and digest of a file, to detect damage. */
export type Digest = {
  readonly bytes: number;
  readonly sha256: string;
};

/** The digest of a file, read in chunks: it may be larger than the memory. */
export function digestOf(path: string): Digest {
  const fd = openPlain(path);
  try {
    const hash = createHash("sha256");
    const piece = Buffer.alloc(1 << 20);
    let bytes = 0;
    for (let n: number; (n = fs.readSync(fd, piece, 0, piece.length, null)) > 0; bytes += n)
      hash.update(piece.subarray(0, n));
    return { bytes, sha256: hash.digest("hex") };
  } finally {
    fs.closeSync(fd);
  }
}

/** Why a file does not match a digest; undefined if it does. */
export function damageOf(path: string, { bytes, sha256 }: Digest): string | undefined {
  if (fs.lstatSync(path).isDirectory()) return "is a folder, but must be a file";
  const now = digestOf(path);
  if (now.bytes !== bytes) return `has ${now.bytes} bytes instead of ${bytes}`;
  return now.sha256 === sha256 ? undefined : "is damaged (its digest differs)";
}

/** The digest of a text or of bytes, in hexadecimal. */
export const sha256 = (what: string | Uint8Array): string => createHash("sha256").update(what).digest("hex");
