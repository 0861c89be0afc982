import type { Compiler, Program } from "../kernel/program.ts";

/** How a program that the C compiler could not build was replaced. */
export interface Replacement {
  /** Nothing had run natively before, so the whole process can run on WebAssembly. */
  readonly first: boolean;
  readonly error: Error;
}

/**
 * Native code with a fallback: a program that cannot be built (the compiler fails, hangs or has disappeared) is compiled to
 * WebAssembly, which runs on the same heap, and `replaced` is called.
 */
export function withFallback(
  native: Compiler,
  wasm: () => Compiler,
  replaced: (what: Replacement) => void,
): Compiler {
  let used = false;
  /** Whether the whole process has switched to WebAssembly. */
  let left = false;
  const replace = (error: unknown): Compiler => {
    // Any other error is a bug of the compiler and must be visible.
    if (!(error instanceof Error) || error.name !== "BuildError") throw error;
    if (!left) replaced({ first: !used, error });
    left ||= !used;
    return wasm();
  };
  return {
    name: native.name,
    schedule: native.schedule,
    cost: native.cost,
    recall(key) {
      const found = native.recall?.(key);
      used ||= found !== undefined;
      return found;
    },
    compile(program: Program, note) {
      try {
        const executable = native.compile(program, note);
        used = true;
        return executable;
      } catch (error) {
        return replace(error).compile(program);
      }
    },
    async compileAsync(program: Program, note) {
      try {
        const executable = await native.compileAsync(program, note);
        // A program compiled at the same time may already have failed.
        if (left) return wasm().compileAsync(program);
        used = true;
        return executable;
      } catch (error) {
        return replace(error).compileAsync(program);
      }
    },
  };
}
