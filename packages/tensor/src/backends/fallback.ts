import type { Compiler, Program } from "../kernel/program.ts";

/** What was done about a program that the C compiler could not build. */
export interface Replacement {
  /** Nothing had run natively before: so the whole process can run on WebAssembly. */
  readonly first: boolean;
  readonly error: Error;
}

/**
 * Native code where it can be built. A program that cannot (the compiler fails, hangs or is gone) is compiled to WebAssembly, which
 * runs on the same heap; `replaced` hears of it.
 */
export function withFallback(
  native: Compiler,
  wasm: () => Compiler,
  replaced: (what: Replacement) => void,
): Compiler {
  let used = false;
  /** The whole process has changed over. */
  let left = false;
  const replace = (error: unknown): Compiler => {
    // Anything else is a mistake of ours, which must be seen.
    if (!(error instanceof Error) || error.name !== "BuildError") throw error;
    if (!left) replaced({ first: !used, error });
    left ||= !used;
    return wasm();
  };
  return {
    name: native.name,
    sumsTogether: native.sumsTogether,
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
        // Another program, compiled at the same time, may have found that it cannot be done here.
        if (left) return wasm().compileAsync(program);
        used = true;
        return executable;
      } catch (error) {
        return replace(error).compileAsync(program);
      }
    },
  };
}
