/** `@reins/tensor`: arrays, tracing, automatic differentiation, and a compiler to WebAssembly and native code. */
import "./methods.ts";

export { availableBackends, type BackendName, currentBackend, setBackend } from "./backends/choose.ts";
export { type Bound, type Compiled, compile, type TensorArgument } from "./compile/compile.ts";
export { type CompileListener, onCompile } from "./compile/listeners.ts";
export type { CompileOptions } from "./compile/options.ts";
export { shapeOf } from "./compile/shape-of.ts";
export * from "./create.ts";
export { download } from "./download.ts";
export type { DType, TypedArray } from "./dtype.ts";
export { TensorError } from "./errors.ts";
export { formerName } from "./former-name.ts";
export * from "./former-names.ts";
export { type DeviceMemoryUse, type MemoryUse, memoryUse } from "./memory-use.ts";
export * from "./ops/arithmetic.ts";
export { type AttentionOptions, attention } from "./ops/attention.ts";
export type { TensorLike } from "./ops/check.ts";
export {
  bceWithLogits,
  crossEntropy,
  elu,
  gelu,
  huber,
  layerNorm,
  leakyRelu,
  logSigmoid,
  logSoftmax,
  logSumExp,
  mish,
  mseLoss,
  pick,
  rmsNorm,
  silu,
  softmax,
  softplus,
} from "./ops/composite.ts";
export * from "./ops/indexing.ts";
export { cholesky, diagonal, diagonalMatrix, eigh, solve, svd, triangularSolve } from "./ops/linalg.ts";
export { type ConvOptions, conv1d, conv2d, dot, einsum, matmul, outer } from "./ops/linear.ts";
export {
  broadcastTo,
  concat,
  expandDims,
  flip,
  full,
  iota,
  pad,
  permute,
  type Range,
  reshape,
  slice,
  split,
  squeeze,
  stack,
  transpose,
  windows,
} from "./ops/movement.ts";
export { avgPool2d, maxPool2d } from "./ops/pooling.ts";
export {
  type Axes,
  argmax,
  argmin,
  cumprod,
  cumsum,
  max,
  mean,
  min,
  norm,
  prod,
  type ReduceOptions,
  std,
  sum,
  variance,
} from "./ops/reduce.ts";
export { erfInverse } from "./ops/special.ts";
export type { FunctionData } from "./portable/data.ts";
export { type BatchFunctionData, deserialiseForBatch, serialiseForBatch } from "./portable/extent.ts";
export { type DeserialiseOptions, deserialiseFunction } from "./portable/read.ts";
export { type SerialisedFunction, serialiseFunction } from "./portable/write.ts";
export {
  type Profile,
  type ProfileEntry,
  type ProfileEvent,
  type ProfileKind,
  startProfile,
  traceEvents,
} from "./profile.ts";
/** Random numbers as functions of a key: the same key gives the same numbers on every back end. */
export * as random from "./random.ts";
/** Functions of plain numbers with the same bits on every machine, unlike those of `Math`. */
export * as real from "./real.ts";
export type { Shape } from "./shape.ts";
export { type NestedNumbers, Tensor } from "./tensor.ts";
export { customGradient, stopGradient } from "./transform/custom.ts";
export { grad, gradient, type ValueAndGradient, valueAndGradient } from "./transform/gradient.ts";
export type { VmapAxes } from "./transform/map-axes.ts";
export { type ScanOptions, scan } from "./transform/scan.ts";
export { sumOver } from "./transform/sum-over.ts";
export { type VmapOptions, vmap } from "./transform/vmap.ts";
export { leaves, matchLeaves, type Tree, treeMap, unflattenTree } from "./tree.ts";
