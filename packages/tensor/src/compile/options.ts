import type { BackendName } from "../backends/choose.ts";

/** How a function is compiled: on which back end, with how many threads, and whose memory it may take. */
export interface CompileOptions {
  /** Shown in messages and in `explain()`. */
  name?: string;
  /** Where to run; by default the fastest that works (see `setBackend`). */
  backend?: BackendName;
  /** Positions of arguments whose memory the results may take over: parameters and optimiser state. They are updated in place. */
  donate?: readonly number[];
  /** Most threads to use; default: all cores, where the work is worth it. Results do not depend on it. */
  threads?: number;
  /** Stop at the first NaN, Inf or index out of range and name its operation and line. Slow: runs on the reference back end. */
  check?: boolean;
  /** "bf16" multiplies matrices in bfloat16 with f32 sums where the processor can (AMX); elsewhere f32. */
  matmulPrecision?: "f32" | "bf16";
}
