import { createHash, type Hash } from "node:crypto";
import * as fs from "node:fs";
import { type DType, Tensor, tensor } from "@reins/tensor";
import { fail } from "../errors.ts";
import type { NumberArray } from "../snapshot.ts";
import type { Digest } from "./digest.ts";
import { type Files, openNew, writeAll } from "./files.ts";
import { plainReader } from "./reader.ts";
import { JsonText } from "./text.ts";
import type { Arrays } from "./tree.ts";

/**
 * Element types of the safetensors format, widest first: in that order every array is aligned to its element size. (`@reins/nn` reads
 * and writes tensors; state also has 64- and 16-bit arrays.)
 */
const kinds = {
  F64: Float64Array,
  F32: Float32Array,
  I32: Int32Array,
  U32: Uint32Array,
  U16: Uint16Array,
  I16: Int16Array,
  I8: Int8Array,
  U8: Uint8Array,
  BOOL: Uint8Array,
} as const;
type Kind = keyof typeof kinds;
const ofTensor: Readonly<Record<DType, Kind>> = {
  f32: "F32",
  i32: "I32",
  u32: "U32",
  u8: "U8",
  bool: "BOOL",
};
const ofArray = new Map(
  Object.entries(kinds)
    .map(([kind, Type]) => [Type.name, kind as Kind] as const)
    .reverse(),
);

function kindOf(x: NumberArray | Tensor, name: string): Kind {
  if (x instanceof Tensor) return ofTensor[x.dtype];
  // A subclass (Node's Buffer) has the tag of its base class.
  const tag = (x as { [Symbol.toStringTag]: string })[Symbol.toStringTag];
  return (
    ofArray.get(tag) ??
    fail("checkpoint", `${name} is a ${tag}, which a checkpoint cannot hold. Use a Uint8Array.`)
  );
}

/** Small arrays are gathered here, so that a hundred of them take one system call. */
const gathered = new ArrayBuffer(1 << 18);
const views = Object.fromEntries(Object.entries(kinds).map(([k, Type]) => [k, new Type(gathered)]));
const whole = views.U8 as Uint8Array;
const text = new JsonText();

/** Writes arrays as a safetensors file without copying all of it, and syncs it to the disk. */
export function writeArrays(files: Files, path: string, arrays: Arrays): Digest {
  text.clear().raw("{");
  let end = 0;
  each(arrays, (name, x, kind) => {
    const { byteLength, length } = x instanceof Tensor ? x.data : x;
    const shape = x instanceof Tensor ? x.shape.join() : length;
    text.raw(end || text.length > 1 ? "," : "").name(name);
    text.raw(`{"dtype":"${kind}","shape":[${shape}],"data_offsets":[${end},${end + byteLength}]}`);
    end += byteLength;
  });
  text.raw("}");
  while (text.length % 8) text.raw(" ");
  const hash = createHash("sha256");
  const fd = openNew(files, path);
  const write = (bytes: Uint8Array) => {
    hash.update(bytes);
    writeAll(files, fd, bytes);
  };
  try {
    const head = Buffer.alloc(8);
    head.writeBigUInt64LE(BigInt(text.length));
    write(head);
    write(text.bytes.subarray(0, text.length));
    let at = 0;
    const flush = () => {
      if (at) write(whole.subarray(0, at));
      at = 0;
    };
    each(arrays, (_, x, kind) => {
      const data = x instanceof Tensor ? x.data : x;
      if (at + data.byteLength > gathered.byteLength) flush();
      if (data.byteLength > gathered.byteLength)
        return write(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
      views[kind].set(data, at / data.BYTES_PER_ELEMENT);
      at += data.byteLength;
    });
    flush();
    files.fsyncSync(fd);
  } finally {
    files.closeSync(fd);
  }
  return { bytes: 8 + text.length + end, sha256: hash.digest("hex") };
}

/** Calls back with every array, widest elements first. */
function each(arrays: Arrays, visit: (name: string, x: NumberArray | Tensor, kind: Kind) => void): void {
  for (const size of [8, 4, 2, 1])
    arrays.forEach((x, name) => {
      const kind = kindOf(x, name);
      if (kinds[kind].BYTES_PER_ELEMENT === size) visit(name, x, kind);
    });
}

/** Reads arrays back, as tensors if `isTensor` returns true. Throws if the file does not match its digest. */
export function readArrays(
  path: string,
  digest: Digest,
  isTensor: (name: string) => boolean,
  reader = plainReader,
): Arrays {
  const fd = reader.open(path);
  try {
    const { size } = fs.fstatSync(fd);
    if (size !== digest.bytes) fail(path, `has ${size} bytes instead of ${digest.bytes}.`);
    const hash = createHash("sha256");
    const length = Number(Buffer.from(take(fd, 8, hash)).readBigUInt64LE());
    if (length > size - 8) fail(path, `has a header of ${length} bytes in a file of ${size}.`);
    const header = headerOf(Buffer.from(take(fd, length, hash)).toString(), size - 8 - length);
    if (!header) fail(path, "the header is damaged: it does not list the arrays.");
    const arrays: Arrays = new Map();
    // Records list names like "0" first, whatever their order in the file.
    for (const [name, { dtype, shape, data_offsets: span }] of Object.entries(header).sort(byPlace)) {
      const data = new kinds[dtype](take(fd, span[1] - span[0], hash));
      const type = Object.keys(ofTensor).find((d) => ofTensor[d as DType] === dtype) as DType;
      arrays.set(name, isTensor(name) ? tensor(data as Uint8Array, { shape, dtype: type }) : data);
    }
    if (hash.digest("hex") !== digest.sha256) fail(path, "is damaged (its digest differs).");
    return arrays;
  } finally {
    fs.closeSync(fd);
  }
}

interface Entry {
  readonly dtype: Kind;
  readonly shape: number[];
  readonly data_offsets: readonly [number, number];
}

/** Entries of a header for data of this many bytes; undefined if they are invalid. */
function headerOf(text: string, bytes: number): Record<string, Entry> | undefined {
  try {
    const header = JSON.parse(text) as Record<string, Entry>;
    let sum = 0;
    for (const { dtype, shape, data_offsets: span } of Object.values(header)) {
      const taken = shape.reduce((n, d) => n * d, kinds[dtype].BYTES_PER_ELEMENT);
      if (span.length !== 2 || span[1] - span[0] !== taken) return undefined;
      sum += taken;
    }
    return sum === bytes ? header : undefined;
  } catch {
    return undefined;
  }
}

const byPlace = ([, a]: [string, Entry], [, b]: [string, Entry]) =>
  a.data_offsets[0] - b.data_offsets[0] || a.data_offsets[1] - b.data_offsets[1];

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
