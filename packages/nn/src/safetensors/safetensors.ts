import type { Tensor } from "@reins/tensor";
import { fail } from "../errors.ts";
import { decode, encode, fileTypes } from "./convert.ts";
import { fileBytes, parseHeader } from "./format.ts";

/** Contents of a safetensors file: tensors by name, and metadata. */
export interface Safetensors {
  tensors: Map<string, Tensor>;
  metadata: Record<string, string>;
}

/** Options of reading. */
export interface ReadOptions {
  /** Names of the tensors to read (default: all). */
  names?: Iterable<string>;
  /** Shown in messages: the file's name. */
  source?: string;
}

/** Reads a safetensors file. F16 and BF16 become f32, I64 becomes i32 (with a check that it fits). */
export function readSafetensors(
  bytes: Uint8Array,
  { names, source = "safetensors" }: ReadOptions = {},
): Safetensors {
  const { entries, metadata } = parseHeader(bytes, bytes.length, source);
  const wanted = names && new Set(names);
  const tensors = new Map<string, Tensor>();
  for (const e of entries)
    if (!wanted || wanted.delete(e.name))
      tensors.set(e.name, decode(e, bytes.subarray(e.begin, e.end), source));
  if (wanted?.size)
    fail(
      source,
      `unknown tensor "${[...wanted][0]}". Available: ${entries
        .slice(0, 8)
        .map((e) => e.name)
        .join(", ")}${entries.length > 8 ? ", …" : ""}.`,
    );
  return { tensors, metadata: { ...metadata } };
}

/** A safetensors file of named tensors (`flattenNames` gives those of a tree). The same tensors give the same bytes. */
export function writeSafetensors(
  tensors: Iterable<readonly [string, Tensor]>,
  metadata: Readonly<Record<string, string>> = {},
): Uint8Array {
  const list = [...tensors];
  const { head, size } = headOf(list, metadata);
  const out = new Uint8Array(size);
  out.set(head);
  let offset = head.length;
  for (const [, t] of list) {
    const bytes = encode(t);
    out.set(bytes, offset);
    offset += bytes.length;
  }
  return out;
}

/** The header of a file, and the total length. */
export function headOf(
  list: readonly (readonly [string, Pick<Tensor, "shape" | "dtype">])[],
  metadata: Readonly<Record<string, string>> = {},
): { readonly head: Uint8Array; readonly size: number } {
  const header: Record<string, unknown> = Object.create(null);
  if (Object.keys(metadata).length) header.__metadata__ = metadata;
  let at = 0;
  for (const [name, t] of list) {
    if (name === "__metadata__" || Object.hasOwn(header, name))
      fail(
        "writeSafetensors",
        `the name "${name}" is ${name === "__metadata__" ? "reserved" : "used twice"}.`,
      );
    const size = t.shape.reduce((n, d) => n * d, fileBytes[fileTypes[t.dtype]]);
    header[name] = { dtype: fileTypes[t.dtype], shape: t.shape, data_offsets: [at, at + size] };
    at += size;
  }
  const text = new TextEncoder().encode(JSON.stringify(header));
  // Data begins at a multiple of 8, padded with spaces.
  const padded = Math.ceil(text.length / 8) * 8;
  const head = new Uint8Array(8 + padded).fill(32, 8);
  new DataView(head.buffer).setBigUint64(0, BigInt(padded), true);
  head.set(text, 8);
  return { head, size: head.length + at };
}
