import { round64 } from "../../heap-guard.ts";
import type { Program, Step } from "../../kernel/program.ts";
import { ModuleBuilder } from "./assembler.ts";
import { emitBarrier } from "./barrier.ts";
import { emitKernel, kernelSignature } from "./emit.ts";
import type { GemmFunction } from "./gemm.ts";
import { emitGemm } from "./gemm.ts";
import type { ProgramOptions } from "./main.ts";
import { emitMain } from "./main.ts";

/** A module with one function per kernel and the exported `main(context, thread, threads)` that walks the steps. */
export function emitProgram(program: Program, options: ProgramOptions): Uint8Array<ArrayBuffer> {
  const module = new ModuleBuilder();
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
  const workspace = bytes > 0 ? options.workspace(bytes) : 0;
  const barrier = options.threaded ? emitBarrier(module, options.barrier, options.mayWait) : -1;
  const { code } = module.function(["i32", "i32", "i32"], "main");
  emitMain(code, program, options, { kernels, products, barrier, workspace, workspaceBytes: bytes });
  return module.finish();
}

function eachStep(steps: readonly Step[], visit: (step: Step) => void): void {
  for (const step of steps) {
    visit(step);
    if (step.kind === "loop") eachStep(step.body, visit);
  }
}
