import { heap } from "../../heap.ts";
import type { Compiler, Executable, Program } from "../../kernel/program.ts";
import { enableRelaxedSimd, isArm, relaxedSimdWorks } from "./engine.ts";
import { listing } from "./listing.ts";
import { emitProgram } from "./program.ts";
import { mayWait, pool } from "./threads.ts";
import { workspace } from "./workspace.ts";

export interface WasmOptions {
  /** How many threads a program may use at most; 1 by default. More need workers, which start with the first such program. */
  readonly threads?: number;
  /**
   * Fused multiply-add in sums and matrix products, where the engine has relaxed SIMD. On Node 20 this switches a V8 flag for the
   * whole process. Also switched on by the environment variable REINS_RELAXED_SIMD=1. Off by default: results then depend on
   * the processor.
   */
  readonly relaxed?: boolean;
}

/** A compiler to WebAssembly. `compileAsync` is for a browser's main thread, where large modules must not compile synchronously. */
export interface WasmCompiler extends Compiler {
  readonly name: "wasm";
  compileAsync(program: Program): Promise<Executable>;
}

export function wasmCompiler(options: WasmOptions = {}): WasmCompiler {
  const most = Math.min(63, Math.max(1, Math.floor(options.threads ?? 1)));
  const wished =
    options.relaxed ?? (typeof process !== "undefined" && process.env?.REINS_RELAXED_SIMD === "1");
  if (wished) enableRelaxedSimd();
  const relaxed = wished && relaxedSimdWorks();

  const emit = (program: Program) => {
    const threads = Math.min(most, program.threads);
    const team = threads > 1 ? pool(threads) : undefined;
    const bytes = emitProgram(program, {
      relaxed,
      arm: isArm(),
      threaded: team !== undefined,
      barrier: team?.barrier ?? 0,
      mayWait: mayWait(),
      workspace: (size) => workspace(size, most),
    });
    return { bytes, team, threads };
  };
  const finish = (
    program: Program,
    module: WebAssembly.Module,
    instance: WebAssembly.Instance,
    made: ReturnType<typeof emit>,
  ): Executable => {
    const main = instance.exports.main as (context: number, thread: number, threads: number) => void;
    const { team, threads } = made;
    const source = listing(program, made.bytes.length);
    return { source, run: team ? team.install(module, main, threads) : (context) => main(context, 0, 1) };
  };
  const imports = { env: { memory: heap.memory } };

  return {
    name: "wasm",
    compile(program) {
      const made = emit(program);
      const module = new WebAssembly.Module(made.bytes);
      return finish(program, module, new WebAssembly.Instance(module, imports), made);
    },
    async compileAsync(program) {
      const made = emit(program);
      const module = await WebAssembly.compile(made.bytes);
      const executable = finish(program, module, await WebAssembly.instantiate(module, imports), made);
      await made.team?.ready();
      return executable;
    },
  };
}
