import { heap } from "../heap.ts";
import { contextHeader, contextWord, setAddress } from "../kernel/program.ts";

/** A context on the heap for a program on WebAssembly, with buffers at these offsets. */
export function contextOf(buffers: readonly number[], scratch = 0): number {
  const bytes = contextBytes(buffers.length);
  const offset = heap.allocate(bytes);
  const words = new Uint32Array(heap.buffer, offset, bytes / 4);
  setAddress(words, 0, scratch);
  buffers.forEach((at, i) => setAddress(words, contextHeader + i, at));
  return offset;
}

/** Bytes of a context. */
export const contextBytes = (buffers: number): number => contextWord * (contextHeader + buffers);
