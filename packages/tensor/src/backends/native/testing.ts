import { computeType, type TypedArray, typedArray } from "../../dtype.ts";
import { heap } from "../../heap.ts";
import type { Kernel } from "../../kernel/kernel.ts";
import { contextHeader, contextWord, type Program, type Step, setAddress } from "../../kernel/program.ts";
import { nativeCompiler } from "./native.ts";

/** Why native tests cannot run here, or undefined. */
export const missing: string | undefined = (() => {
  try {
    nativeCompiler();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
})();
if (missing) console.warn(`Native tests are skipped: ${missing}`);

/** Puts arrays on the heap as the buffers of a program, runs it, and returns the arrays afterwards. */
export function runProgram(program: Omit<Program, "buffers">, arrays: readonly TypedArray[]): TypedArray[] {
  const executable = nativeCompiler().compile({
    ...program,
    buffers: arrays.map((a, i) => ({ bytes: a.byteLength, role: "input" as const, label: `b${i}` })),
  });
  const blocks = arrays.map((a) => heap.reserve(a.byteLength, "native"));
  const scratch = heap.reserve((program.scratchBytes + 64) * program.threads, "native");
  const context = heap.reserve(contextWord * (contextHeader + arrays.length), "native");
  const words = new Uint32Array(context.region.buffer, context.offset, context.bytes / 4);
  setAddress(words, 0, executable.address(scratch));
  blocks.forEach((block, i) => setAddress(words, contextHeader + i, executable.address(block)));
  const bytes = blocks.map((block) => new Uint8Array(block.region.buffer, block.offset, block.bytes));
  arrays.forEach((a, i) => {
    bytes[i].set(new Uint8Array(a.buffer, a.byteOffset, a.byteLength));
  });
  executable.run(executable.address(context));
  const results = arrays.map((a, i) => {
    const copy = a.slice();
    new Uint8Array(copy.buffer).set(bytes[i]);
    return copy;
  });
  for (const block of [...blocks, scratch, context]) block.release();
  return results;
}

/** One call of a kernel on its parameters, as a program. */
export function callStep(kernel: Kernel, extent: number): Step {
  return {
    kind: "call",
    kernel: 0,
    extent,
    barrier: false,
    args: kernel.params.map((p, i) => ({ buffer: i, offset: 0, scratch: p.scratch })),
  };
}

/** Small, reproducible random numbers. */
export function random(seed: number): {
  next(): number;
  int(n: number): number;
  pick<T>(list: readonly T[]): T;
} {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const int = (n: number) => Math.floor(next() * n);
  return { next, int, pick: (list) => list[int(list.length)] };
}

export { computeType, typedArray };
