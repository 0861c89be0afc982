import type { Compiler } from "../../kernel/program.ts";

/** Stands in for the native back end where there is no Node: `#native` in package.json chooses between the two. */
export function nativeCompiler(_memory?: WebAssembly.Memory): Compiler {
  throw new Error("The native back end needs Node.");
}

export function threadsAvailable(): number {
  return globalThis.navigator?.hardwareConcurrency ?? 1;
}

export function bf16Available(): boolean {
  return false;
}
