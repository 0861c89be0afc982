import type { Compiler, HostExecutable } from "../../kernel/program.ts";
import type { ModuleStore } from "../wasm/wasm.ts";

/** Replaces the native back end outside of Node: `#native` in package.json chooses between the two. */
export function nativeCompiler(): Compiler<HostExecutable> {
  throw new Error("The native back end needs Node.");
}

export function cudaCompiler(_gpu: number): Compiler {
  throw new Error("The CUDA back end needs Node.");
}

export function gpuPresent(): boolean {
  return false;
}

export function moduleStore(): ModuleStore | undefined {
  return undefined;
}

export async function startNative(): Promise<void> {}

export function threadsAvailable(): number {
  // Pages can share memory with workers only if they are cross-origin isolated.
  const { navigator, crossOriginIsolated = true } = globalThis as Partial<typeof globalThis> & {
    crossOriginIsolated?: boolean;
  };
  return crossOriginIsolated ? (navigator?.hardwareConcurrency ?? 1) : 1;
}

export function bf16Available(): boolean {
  return false;
}

export function heapGuard(): undefined {
  return undefined;
}
