import type { DeviceProgram } from "../device.ts";
import type { HeapBlock, Reach } from "../heap.ts";
import type { AttendStep } from "./attend-step.ts";
import type { CostModel } from "./cost.ts";
import type { Kernel } from "./kernel.ts";
import type { Place } from "./place.ts";

export type { Place } from "./place.ts";

/**
 * A compiled traced function: kernels, and the steps that call them on buffers. A back end turns a program into one
 * callable function `run(context)`.
 *
 * A *context* is a block of 64-bit words on the heap: the address of the threads' scratch memory, then, from word `contextHeader` on,
 * that of each buffer. For native code an address is absolute; for WebAssembly it is an offset in the heap's first region, and only
 * the lower halves are read. Buffer 0 is the arena with every intermediate; the others are inputs, results and constants.
 */
export interface Program {
  readonly buffers: readonly BufferInfo[];
  readonly kernels: readonly Kernel[];
  readonly steps: readonly Step[];
  /** Bytes of scratch each thread needs; a thread's block is passed for scratch parameters. */
  readonly scratchBytes: number;
  /** Number of threads that the work justifies (1 for little work). */
  readonly threads: number;
  /** Whether accumulators may add their terms in any order that is the same in every run. */
  readonly anyOrder?: boolean;
}

/** Words before the buffers' addresses. */
export const contextHeader = 1;

/** Bytes of a word. */
export const contextWord = 8;

/** Writes an address into a context, given as an array of half words. The array truncates numbers to 32 bits. */
export function setAddress(context: Uint32Array, word: number, address: number): void {
  context[2 * word] = address;
  context[2 * word + 1] = address / 2 ** 32;
}

export interface BufferInfo {
  readonly bytes: number;
  readonly role: "arena" | "input" | "output" | "constant" | "copy";
  readonly label: string;
  /** A copy in bf16 of this input, which the program only reads: the back end makes it again after the input has changed. */
  readonly of?: number;
}

/** `barrier: true` on a step: every thread must have finished all earlier steps before this one starts. */
export type Step =
  | {
      readonly kind: "call";
      readonly kernel: number;
      readonly args: readonly Place[];
      readonly extent: number;
      /** The length passed to a kernel with a `length`. */
      readonly length?: number;
      /** Bytes of scratch memory that the call uses; the program's if absent. */
      readonly scratchBytes?: number;
      readonly barrier: boolean;
    }
  | GemmStep
  | FlashStep
  | AttendStep
  | {
      readonly kind: "copy";
      readonly from: Place;
      readonly to: Place;
      readonly bytes: number;
      readonly barrier: boolean;
    }
  /** Runs `body` `count` times; `count` may be an i32 in memory, at most `most`. */
  | {
      readonly kind: "loop";
      readonly loop: number;
      readonly count: number | Place;
      readonly most: number;
      /** Iterations are independent and have memory of their own: a device may run each step of the body for all of them at once. */
      readonly together?: boolean;
      readonly body: readonly Step[];
      readonly barrier: boolean;
    };

/** Attention on tensor cores: see `ops/flash.ts`. q, k, v and g are stored as bf16, with adjacent elements along the width; strides are in elements. */
export interface FlashStep {
  readonly kind: "flash";
  readonly part: "output" | "queries" | "keys";
  readonly scale: number;
  readonly causal: boolean;
  readonly queries: number;
  readonly keys: number;
  readonly width: number;
  readonly lead: readonly {
    readonly extent: number;
    readonly q: number;
    readonly k: number;
    readonly v: number;
    readonly g: number;
  }[];
  readonly rows: { readonly q: number; readonly k: number; readonly v: number; readonly g: number };
  /** Whether all operands start at a multiple of 8 elements. */
  readonly aligned: boolean;
  readonly q: Place;
  readonly k: Place;
  readonly v: Place;
  /** For gradients: outputs and logarithms, gradients of outputs, and sums of their products with the outputs. */
  readonly all?: Place;
  readonly g?: Place;
  readonly sums?: Place;
  readonly out: Place;
  readonly barrier: boolean;
}

/**
 * `c[m, n] = Σk a[m, k] · b[k, n]` for every combination of the batch dimensions. Strides are in elements and arbitrary
 * (0 repeats); c's columns are adjacent. All f32.
 */
export interface GemmStep {
  readonly kind: "gemm";
  readonly m: number;
  readonly n: number;
  readonly k: number;
  readonly a: Place;
  readonly b: Place;
  readonly c: Place;
  readonly aStrides: readonly [row: number, column: number];
  readonly bStrides: readonly [row: number, column: number];
  readonly cRow: number;
  readonly batch: readonly {
    readonly extent: number;
    readonly a: number;
    readonly b: number;
    readonly c: number;
  }[];
  /** Added to every row of c before it is stored: n adjacent elements. */
  readonly bias?: Place;
  readonly precision: "f32" | "bf16";
  /** What is stored as bf16: a and b, or c too; the bias is f32. Only on devices. */
  readonly halves?: "operands" | "all";
  readonly barrier: boolean;
}

/** A program compiled by a back end: code that works on the heap, or a program of a device with memory of its own. */
export type Executable = HostExecutable | DeviceExecutable;

interface AnyExecutable {
  /** The back end that built it; it may differ from the requested compiler, which may delegate a program. */
  readonly backend: Compiler["name"];
  /** Source text or a readable listing. */
  readonly source: string;
}

export interface DeviceExecutable extends AnyExecutable {
  readonly onDevice: DeviceProgram;
}

export interface HostExecutable extends AnyExecutable {
  readonly onDevice?: undefined;
  /** Which code must reach the blocks of its context. */
  readonly reach: Reach;
  /** The address of a block as its code sees it. */
  address(block: HeapBlock): number;
  /** Runs the program on the buffers of the context at this address. One host call, no allocation. */
  run(context: number): void;
}

export interface Compiler<E extends Executable = Executable> {
  readonly name: "wasm" | "native" | "cuda" | "webgpu";
  readonly cost: CostModel;
  /** How fused work is laid out: in rows, for the lanes and threads of a processor, or in a grid of groups of threads. */
  readonly schedule: "rows" | "grid";
  /** Whether products in bf16 have operands that are stored as bf16, in programs that sum in any order. */
  readonly halves?: boolean;
  /** `note` is stored beside the result, if the compiler has a cache. */
  compile(program: Program, note?: Note): E;
  /** Like `compile`, without blocking the thread while a compiler runs. */
  compileAsync(program: Program, note?: Note): Promise<E>;
  /** The program and note that an earlier process stored under this key. */
  recall?(key: string): { readonly text: string; readonly executable: E } | undefined;
}

/** A cache entry: the plan of a function, under a key of everything that it depends on. */
export interface Note {
  readonly key: string;
  readonly text: string;
}
