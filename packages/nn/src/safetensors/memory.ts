import { fail } from "../errors.ts";
import { decode } from "./convert.ts";
import { parseHeader } from "./format.ts";
import type { TensorReader } from "./open.ts";
import { copyNumbers } from "./place.ts";

/** The tensors of a safetensors file that is in memory, for platforms without files. */
export function safetensorsFromBytes(bytes: Uint8Array, source = "safetensors"): TensorReader {
  const header = parseHeader(bytes, bytes.length, source);
  const entries = new Map(header.entries.map((e) => [e.name, e]));
  const find = (name: string) => entries.get(name) ?? fail(source, `unknown tensor "${name}".`);
  return {
    entries,
    metadata: header.metadata,
    async tensor(name) {
      const e = find(name);
      return decode(e, bytes.slice(e.begin, e.end), source);
    },
    async place(name, target, placing) {
      const e = find(name);
      // A copy, so that the numbers are aligned.
      copyNumbers(e.dtype, bytes.slice(e.begin, e.end), e.shape[e.shape.length - 1] ?? 1, 0, target, placing);
    },
    async close() {},
  };
}
