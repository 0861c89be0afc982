import type { Compute, DType } from "../dtype.ts";

/**
 * The form of every generated kernel, whatever the target: structured loops over three-address code.
 * Emitters (C, WebAssembly, later CUDA and WGSL) translate it; nothing else depends on the target.
 *
 * A kernel is called with one pointer per parameter and the range `[begin, end)` of its parallel variable, so that threads
 * can share the work. Iterations of the parallel variable are independent.
 */
export interface Kernel {
  readonly params: readonly Param[];
  /** The parallel loop's variable (an i32 value) and its extent; the caller passes the range. */
  readonly parallel: Value;
  /** A number (i32) that the caller passes too: the extent of a loop, if one kernel serves tensors of several sizes. */
  readonly length?: Value;
  readonly body: readonly Stmt[];
  /** All vector loops have the same iterations, and memory that one of them writes is touched by the same iteration alone: of the columns of a sum over rows, for example. */
  readonly columns?: boolean;
  /** One readable line: the fused operations. */
  readonly label: string;
}

/** A pointer argument. A scratch parameter points to memory private to the calling thread, 64-byte aligned. */
export interface Param {
  readonly storage: DType;
  /** In memory as bf16, computed as f32; only on devices. */
  readonly half?: boolean;
  readonly scratch?: boolean;
}

/** An SSA value or a mutable variable, numbered uniquely within its kernel. */
export interface Value {
  readonly id: number;
  readonly type: Compute;
}

export type Operand = Value | Constant;
export interface Constant {
  readonly constant: number;
  readonly type: Compute;
}

/** An element index: `constant + Σ coefficient · variable (+ dynamic)`, in elements. Variables are loop variables. */
export interface Index {
  readonly constant: number;
  readonly terms: readonly { readonly variable: Value; readonly coefficient: number }[];
  /** Values (i32) computed at run time, each multiplied by its coefficient: indices read from a tensor. */
  readonly dynamic?: readonly { readonly value: Operand; readonly coefficient: number }[];
}

export type Stmt =
  /** `result = op(args)`. */
  | { readonly kind: "let"; readonly result: Value; readonly op: BasicOp; readonly args: readonly Operand[] }
  /** `result = params[param][index]`, widened from the parameter's storage type to `computeType(storage)`. */
  | { readonly kind: "load"; readonly result: Value; readonly param: number; readonly index: Index }
  /** `params[param][index] = value`, narrowed to the parameter's storage type (bool stores 0 or 1). */
  | { readonly kind: "store"; readonly param: number; readonly index: Index; readonly value: Operand }
  /**
   * A counted loop from 0 (or `from`) to `extent`, exclusive. With `vector`, iterations are independent (except for
   * accumulators) and may run several lanes at a time, the rest one by one; a vector loop contains only let, load, store,
   * assign to accumulators, and loops with `vector` false whose bounds do not depend on the vector variable. A loop with
   * accumulators has a constant number of iterations, or a multiple of `laneCount`.
   *
   * With `independent`, iterations of a scalar loop are independent, like those of the parallel variable, and a device may join the two:
   * such a loop is all that its surrounding block does, apart from values computed before it.
   */
  | {
      readonly kind: "for";
      readonly variable: Value;
      readonly from?: Operand;
      readonly extent: number | Operand;
      readonly vector: boolean;
      readonly independent?: boolean;
      readonly body: readonly Stmt[];
    }
  /**
   * A mutable variable. `lanes` marks an accumulator of a vector loop: `laneCount` partial results, each starting at `init`. The
   * i-th iteration of a loop, counted from its start, uses lane i modulo `laneCount`, whatever the processor's vector width.
   */
  | { readonly kind: "declare"; readonly variable: Value; readonly init: Operand; readonly lanes: boolean }
  | { readonly kind: "assign"; readonly variable: Value; readonly value: Operand }
  /**
   * Reduces the partial results of an accumulator (`lanes: true`) after its loop by halves: lane l with lane l + 8, then with l + 4,
   * l + 2 and l + 1. min and max of f32 are NaN if a part is; of equal parts the second is kept.
   */
  | { readonly kind: "combine"; readonly result: Value; readonly accumulator: Value; readonly op: CombineOp }
  /** Scalar control flow; never inside a vector loop. */
  | {
      readonly kind: "if";
      readonly condition: Operand;
      readonly then: readonly Stmt[];
      readonly else?: readonly Stmt[];
    }
  /** Runs `test` and, while `condition` is true, `body`, repeatedly. Never inside a vector loop. */
  | {
      readonly kind: "while";
      readonly test: readonly Stmt[];
      readonly condition: Operand;
      readonly body: readonly Stmt[];
    };

/**
 * Lanes of every accumulator: a multiple of any processor's vector width, so that a sum has the same bits on all of them. One
 * vector of AVX-512, two of AVX2, four of NEON and WebAssembly: enough to hide the latency of an addition.
 */
export const laneCount = 16;

export type CombineOp = "add" | "mul" | "min" | "max";

/**
 * Operations that every target computes to the same bits. All arguments have the same type, which is that of the result except
 * where noted. Transcendental functions are written in these (see `math.ts`).
 *
 * f32: add sub mul div neg abs sqrt floor ceil trunc round (to even) · min and max are `a < b ? a : b` and `a > b ? a : b`.
 * i32, u32: add sub mul (wrapping) div rem (towards zero; by zero gives 0) neg abs(i32) and or xor not shl shr (arithmetic for i32, logical
 * for u32; the amount is taken modulo 32) min max.
 * bool: and or xor not.
 * Comparisons eq ne lt le gt ge: the arguments have any one type, the result is bool; with NaN only ne holds.
 * select(bool, a, b).
 * fma(a, b, c) = a·b + c, rounded once; twice on targets without the instruction (WebAssembly without relaxed SIMD). Only sums use it.
 * Casts named by source: f32toi32 and f32tou32 (towards zero, saturating, NaN gives 0), i32tof32, u32tof32, booltoi32 and
 * booltof32 (0 or 1), and the bit-preserving bits_f32toi32, bits_i32tof32; i32tou32 and u32toi32 keep the bits.
 */
export type BasicOp =
  | "add"
  | "sub"
  | "mul"
  | "div"
  | "rem"
  | "neg"
  | "abs"
  | "sqrt"
  | "floor"
  | "ceil"
  | "trunc"
  | "round"
  | "min"
  | "max"
  | "and"
  | "or"
  | "xor"
  | "not"
  | "shl"
  | "shr"
  | "eq"
  | "ne"
  | "lt"
  | "le"
  | "gt"
  | "ge"
  | "select"
  | "fma"
  | "f32toi32"
  | "f32tou32"
  | "i32tof32"
  | "u32tof32"
  | "booltoi32"
  | "booltof32"
  | "bits_f32toi32"
  | "bits_i32tof32"
  | "i32tou32"
  | "u32toi32";
