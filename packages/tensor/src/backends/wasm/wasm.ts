import { heap } from "../../heap.ts";
import type { Compiler, Executable, Program } from "../../kernel/program.ts";
import { chooseRelaxedSimd, isArm } from "./engine.ts";
import { listing } from "./listing.ts";
import { emitProgram } from "./program.ts";
import { mayWait, pool } from "./threads.ts";
import { workspace } from "./workspace.ts";

export interface WasmOptions {
  /** How many threads a program may use at most; 1 by default. More need workers, which start with the first such program. */
  readonly threads?: number;
  /**
   * Fused multiply-add in sums and matrix products, by WebAssembly's relaxed SIMD: up to half as fast again, and rounded once
   * instead of twice, so that sums and products differ in their last bits between processors with and without it. Elementwise
   * results and those of different numbers of threads do not change.
   *
   * Left out: used where the engine has it without a flag (Node 22 and later, current browsers). `true` also switches it on in
   * Node 20, by a V8 flag for the whole process, as does the environment variable REINS_RELAXED_SIMD=1. `false` switches it off;
   * REINS_RELAXED_SIMD=0 does so everywhere, whatever is said here.
   */
  readonly relaxed?: boolean;
}

/** A compiler to WebAssembly. On a browser's main thread, where large modules must not compile synchronously, use `compileAsync`. */
export function wasmCompiler(options: WasmOptions = {}): Compiler {
  const most = Math.min(63, Math.max(1, Math.floor(options.threads ?? 1)));
  const relaxed = chooseRelaxedSimd(options.relaxed);

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
    const run = team ? team.install(module, main, threads) : (context: number) => main(context, 0, 1);
    return { backend: "wasm", source, run };
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
