/** `@reins/tensor/assembler`: the heap and the WebAssembly assembler, for kernels that are not tensor programs. */

export { Code, ModuleBuilder, type SimdOp } from "./backends/wasm/assembler.ts";
export { type HeapBlock, heap } from "./heap.ts";
