import type { DType } from "./dtype.ts";

/** The attributes of an operation without attributes. */
export type None = Readonly<Record<string, never>>;

type Along = { readonly axis: number };
type Over = { readonly axes: readonly number[] };
type Shaped = { readonly shape: readonly number[] };

/** Elementwise operations, which need only a formula. */
export type Elementwise = {
  [K in
    | ("add" | "sub" | "mul" | "div" | "mod" | "pow" | "maximum" | "minimum" | "where")
    | ("neg" | "abs" | "sign" | "sqrt" | "rsqrt" | "reciprocal" | "relu")
    | ("floor" | "ceil" | "trunc" | "round")
    | ("eq" | "ne" | "lt" | "le" | "gt" | "ge")
    | ("not" | "and" | "or" | "xor" | "shl" | "shr")
    | ("exp" | "expm1" | "log" | "log1p" | "tanh" | "sigmoid")
    | ("erf" | "lgamma" | "digamma" | "trigamma")]: None;
} & {
  /** `near`: the argument is known to lie near 0. */
  sin: { readonly near?: boolean };
  cos: { readonly near?: boolean };
  cast: { readonly to: DType };
  bitcast: { readonly to: "f32" | "i32" | "u32" };
  /** Which of the two output words of the generator. */
  threefry: { readonly word: number };
};

/** Values without inputs. */
export interface Leaves {
  constant: { readonly value: number };
  iota: Along;
}

/** Operations that only change how elements are addressed. */
export interface Views {
  reshape: Shaped;
  broadcast: Shaped;
  permute: Over;
  slice: {
    readonly begin: readonly number[];
    readonly size: readonly number[];
    readonly step: readonly number[];
  };
  windows: Along & { readonly size: number; readonly stride: number; readonly dilation: number };
  /** Identifies a variable of one gradient: the scope or loop that made it, and its number there. */
  identity: { readonly scope?: number; readonly scan?: number; readonly i?: number };
  stopGradient: None;
  /** A function on tensors, opaque to graphs: `ruleOf` in `transform/custom.ts` gives it its type. */
  custom: { readonly rule: (...tensors: never[]) => unknown };
}

export interface Reductions {
  sum: Over;
  prod: Over;
  max: Over;
  min: Over;
}

/** Reads at computed positions. */
export interface IndirectReads {
  gather: Along;
  dynamicSlice: Along & { readonly size: number };
}

/** Operations with dedicated kernels. */
export interface Opaque<Body> {
  matmul: None;
  concat: Along;
  pad: { readonly low: readonly number[]; readonly value: number };
  overlapAdd: Along & { readonly length: number; readonly stride: number; readonly dilation: number };
  scatterAdd: Along & { readonly size: number };
  scatter: Along;
  dynamicUpdate: Along;
  cumsum: Along & { readonly reverse: boolean };
  cumprod: Along & { readonly reverse: boolean };
  argmax: Along;
  argmin: Along;
  argsort: Along & { readonly descending: boolean };
  cholesky: None;
  triangularSolve: { readonly transposed: boolean };
  jacobi: { readonly sweeps: number };
  attend: { readonly scale: number; readonly causal?: true };
  /** Only traced for devices in bf16 mode: see `ops/flash.ts`. */
  flash: {
    readonly part: "output" | "queries" | "keys";
    readonly scale: number;
    readonly causal: boolean;
  };
  scan: { readonly body: Body };
}

export type OpaqueOp = keyof Opaque<unknown>;

/** Only in graphs: arguments, and the individual results of a loop. */
export interface Structure {
  input: { readonly index: number };
  element: { readonly index: number };
}

/** Only made by lowering: a term of a product added to a sum, rounded once or twice; and a view stored in memory. */
export interface Expanded {
  fma: None;
  copy: None;
}

/**
 * Every primitive and its attributes: plain data, compared by value. (Functions and graphs are compared by identity.) Its kind determines
 * how it is lowered. Reference, gradients, batching and lowering are tables over these names, and a missing entry does not
 * compile.
 */
export interface PrimitiveTable<Body>
  extends Elementwise,
    Leaves,
    Views,
    Reductions,
    IndirectReads,
    Opaque<Body>,
    Structure,
    Expanded {}
