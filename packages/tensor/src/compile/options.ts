import type { BackendName } from "../backends/choose.ts";

/** How a function is compiled: back end, number of threads, and donated arguments. */
export interface CompileOptions {
  /** Shown in messages and in `explain()`. */
  name?: string;
  /** The back end; by default the fastest that works (see `setBackend`). */
  backend?: BackendName;
  /** The results are read right after each call. A function without `backend` then runs on WebAssembly instead of WebGPU, which reads later. */
  host?: boolean;
  /** Positions of donated arguments, whose memory results may reuse: parameters and optimiser state are updated in place. */
  donate?: readonly number[];
  /** Maximum number of threads (default: all cores, for work that is large enough). Results do not depend on it. */
  threads?: number;
  /** Stop at the first NaN, Inf or index out of range and report its operation and line. Slow: runs on the reference back end. */
  check?: boolean;
  /** "bf16" multiplies matrices in bfloat16 with f32 sums if the processor (AMX) or GPU supports it; otherwise f32. */
  matmulPrecision?: "f32" | "bf16";
}
