import { round64 } from "../../heap-guard.ts";
import type { Program, Step } from "../../kernel/program.ts";
import { ModuleBuilder } from "./assembler.ts";
import { emitBarrier } from "./barrier.ts";
import { emitKernel, kernelSignature } from "./emit.ts";
import type { GemmFunction } from "./gemm.ts";
import { emitGemm } from "./gemm.ts";
import type { ProgramOptions } from "./main.ts";
import { emitMain } from "./main.ts";

/** A module, and the bytes of workspace that each of its threads needs. */
export interface Emitted {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly workspace: number;
}

/** A module with one function per kernel and the exported `main(context, thread, threads)` that walks the steps. It imports `Addresses`. */
export function emitProgram(program: Program, options: ProgramOptions): Emitted {
  const module = new ModuleBuilder();
  const addresses = { barrier: module.global("barrier"), workspace: module.global("workspace") };
  const kernels = program.kernels.map((kernel) => {
    const { index, code } = module.function(kernelSignature(kernel));
    emitKernel(kernel, code, options);
    return index;
  });
  const functions = new Map<string, number>();
  const products = new Map<Step, GemmFunction>();
  eachStep(program.steps, (step) => {
    if (step.kind !== "gemm") return;
    const { a: _a, b: _b, c: _c, bias, barrier: _barrier, ...shape } = step;
    const key = `gemm${JSON.stringify({ ...shape, bias: bias !== undefined })}`;
    const known = [...products.values()].find((p) => p.index === functions.get(key));
    const made = known ?? emitGemm(module, step, functions, options);
    functions.set(key, made.index);
    products.set(step, made);
  });
  const bytes = round64(Math.max(0, ...[...products.values()].map((p) => p.workspace)));
  const barrier = options.threaded ? emitBarrier(module, addresses.barrier, options.mayWait) : -1;
  const { code } = module.function(["i32", "i32", "i32"], "main");
  const { workspace } = addresses;
  emitMain(code, program, options, { kernels, products, barrier, workspace, workspaceBytes: bytes });
  return { bytes: module.finish(), workspace: bytes };
}

function eachStep(steps: readonly Step[], visit: (step: Step) => void): void {
  for (const step of steps) {
    visit(step);
    if (step.kind === "loop") eachStep(step.body, visit);
  }
}
