import type { Compiler } from "../../kernel/program.ts";
import type { ModuleStore } from "../wasm/wasm.ts";

/** Stands in for the native back end where there is no Node: `#native` in package.json chooses between the two. */
export function nativeCompiler(): Compiler {
  throw new Error("The native back end needs Node.");
}

export function moduleStore(): ModuleStore | undefined {
  return undefined;
}

export async function startNative(): Promise<void> {}

export function threadsAvailable(): number {
  // Pages share memory with workers only where they are isolated from other origins.
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
