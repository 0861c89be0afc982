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
  return {
    name: native.name,
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
        // Anything else is a mistake of ours, which must be seen.
        if ((error as Error).name !== "BuildError") throw error;
        replaced({ first: !used, error: error as Error });
        return wasm().compile(program);
      }
    },
  };
}
