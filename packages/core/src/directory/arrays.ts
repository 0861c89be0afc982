import { createHash, type Hash } from "node:crypto";
import * as fs from "node:fs";
import { type DType, Tensor, tensor } from "@reins/tensor";
import { fail } from "../errors.ts";
import type { NumberArray } from "../snapshot.ts";
import { type Files, writeAll } from "./files.ts";
import type { Arrays } from "./tree.ts";

/** Length and digest of a file, by which a damaged one is known. */
export interface Digest {
  readonly bytes: number;
  readonly sha256: string;
}

type Kind = new (buffer: ArrayBuffer, offset: number, length: number) => NumberArray;
/** Element types of the safetensors format. `@reins/nn` reads and writes tensors; state also has 64- and 16-bit arrays. */
const kinds: Readonly<Record<string, Kind>> = {
  F64: Float64Array,
  F32: Float32Array,
  I32: Int32Array,
  U32: Uint32Array,
  U16: Uint16Array,
  I16: Int16Array,
  I8: Int8Array,
  U8: Uint8Array,
  BOOL: Uint8Array,
};
const ofTensor: Readonly<Record<DType, string>> = {
  f32: "F32",
  i32: "I32",
  u32: "U32",
  u8: "U8",
  bool: "BOOL",
};
const dtypes = Object.fromEntries(Object.entries(ofTensor).map(([d, t]) => [t, d as DType]));

function typeOf(x: NumberArray | Tensor, name: string): string {
  if (x instanceof Tensor) return ofTensor[x.dtype];
  // A subclass (Node's Buffer) has the tag of what it is.
  const tag = (x as { [Symbol.toStringTag]: string })[Symbol.toStringTag];
  const found = Object.keys(kinds).find((k) => kinds[k].name === tag);
  return (
    found ??
    fail("checkpoint", `${name} is a ${tag}, which cannot be written. Use ${kinds.F64.name} or Uint8Array.`)
  );
}

/** Writes arrays as a safetensors file, one after the other without a copy of the whole, and waits for the disk. */
export function writeArrays(files: Files, path: string, arrays: Arrays): Digest {
  const header: Record<string, unknown> = Object.create(null);
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const [name, x] of arrays) {
    const { buffer, byteOffset, byteLength, length } = x instanceof Tensor ? x.data : x;
    const shape = x instanceof Tensor ? x.shape : [length];
    header[name] = { dtype: typeOf(x, name), shape, data_offsets: [at, at + byteLength] };
    pieces.push(new Uint8Array(buffer, byteOffset, byteLength));
    at += byteLength;
  }
  const text = Buffer.from(JSON.stringify(header));
  const padded = Math.ceil(text.length / 8) * 8;
  const head = Buffer.alloc(8 + padded, " ");
  head.writeBigUInt64LE(BigInt(padded));
  text.copy(head, 8);
  const hash = createHash("sha256");
  const fd = files.openSync(path, "w");
  try {
    for (const piece of [head, ...pieces]) {
      hash.update(piece);
      writeAll(files, fd, piece);
    }
    files.fsyncSync(fd);
  } finally {
    files.closeSync(fd);
  }
  return { bytes: head.length + at, sha256: hash.digest("hex") };
}

/** Reads arrays back. `tensors` says which of them were tensors. Throws if the file is not the one that was written. */
export function readArrays(path: string, digest: Digest, isTensor: (name: string) => boolean): Arrays {
  const fd = fs.openSync(path, "r");
  try {
    const { size } = fs.fstatSync(fd);
    if (size !== digest.bytes) fail(path, `has ${size} bytes instead of ${digest.bytes}.`);
    const hash = createHash("sha256");
    const length = Number(Buffer.from(take(fd, 8, hash)).readBigUInt64LE());
    if (length > size - 8) fail(path, `has a header of ${length} bytes in a file of ${size}.`);
    const header = JSON.parse(Buffer.from(take(fd, length, hash)).toString()) as Record<string, Entry>;
    const arrays: Arrays = new Map();
    for (const [name, { dtype, shape, data_offsets: offsets }] of Object.entries(header)) {
      const bytes = take(fd, offsets[1] - offsets[0], hash);
      const Type = kinds[dtype];
      const data = new Type(
        bytes,
        0,
        shape.reduce((n, d) => n * d, 1),
      );
      arrays.set(name, isTensor(name) ? tensor(data as Uint8Array, { shape, dtype: dtypes[dtype] }) : data);
    }
    if (hash.digest("hex") !== digest.sha256) fail(path, "is not as it was written (its digest differs).");
    return arrays;
  } finally {
    fs.closeSync(fd);
  }
}

interface Entry {
  readonly dtype: string;
  readonly shape: number[];
  readonly data_offsets: readonly [number, number];
}

function take(fd: number, length: number, hash: Hash): ArrayBuffer {
  const bytes = new Uint8Array(length);
  for (let done = 0; done < length; ) {
    const n = fs.readSync(fd, bytes, done, Math.min(length - done, 2 ** 30), null);
    if (n === 0) fail("checkpoint", "the file ends too early.");
    done += n;
  }
  hash.update(bytes);
  return bytes.buffer;
}
