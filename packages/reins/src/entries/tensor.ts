/** `reins/tensor`: arrays, tracing, gradients, and the compiler to WebAssembly and native code. */
export * from "@reins/tensor";
