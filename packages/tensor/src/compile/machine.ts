import { environment } from "../backends/choose.ts";
import { heap } from "../heap.ts";
import { type Compiler, contextHeader, type Executable } from "../kernel/program.ts";
import { lower, type Plan } from "../lower/lower.ts";
import type { Storage } from "../tensor.ts";
import type { CompileOptions } from "./compile.ts";
import { explainPlan } from "./explain.ts";
import { graphKey } from "./key.ts";
import type { Traced } from "./specialise.ts";

/** A traced function compiled to machine code, with the memory that its calls share. */
export interface Machine {
  readonly plan: Plan;
  readonly executable: Executable;
  readonly arena: number;
  readonly scratch: number;
  explain(bind: () => { run(): void; dispose(): void }): string;
}

const reclaim = new FinalizationRegistry<{ offset: number; bytes: number }[]>((blocks) => {
  for (const b of blocks) heap.release(b.offset, b.bytes);
});

export function prepareMachine(
  traced: Traced,
  compiler: Compiler,
  threads: number,
  options: CompileOptions,
): Machine {
  const precision = options.matmulPrecision ?? (environment("REINS_MATMUL") === "bf16" ? "bf16" : "f32");
  const { plan, executable } = build(traced, compiler, threads, precision);
  const scratchBytes = ((plan.scratchBytes + 63) & ~63) * plan.threads;
  const arena = heap.allocate(plan.arenaBytes);
  const scratch = heap.allocate(scratchBytes);
  const machine: Machine = {
    plan,
    executable,
    arena,
    scratch,
    explain: (bind) => explainPlan(traced, compiler.name, plan, bind),
  };
  reclaim.register(machine, [
    { offset: arena, bytes: plan.arenaBytes },
    { offset: scratch, bytes: scratchBytes },
  ]);
  return machine;
}

/** Plans and compiles, or finds what an earlier process made of the same function. */
function build(
  traced: Traced,
  compiler: Compiler,
  threads: number,
  precision: "f32" | "bf16",
): { plan: Plan; executable: Executable } {
  const key = compiler.recall ? graphKey(traced, [threads, precision]) : "";
  const known = compiler.recall?.(key);
  if (known) return { plan: JSON.parse(known.text) as Plan, executable: known.executable };
  const { program, plan } = lower(traced, { threads, precision });
  return {
    plan,
    executable: compiler.compile(program, compiler.recall && { key, text: JSON.stringify(plan) }),
  };
}

/** One set of buffers for a machine: `run` is a single call into compiled code. */
export function machineBinding(machine: Machine, inputs: readonly Storage[], outputs: readonly Storage[]) {
  const { plan, executable } = machine;
  const words = contextHeader + plan.buffers;
  const context = heap.allocate(words * 4);
  const table = () => new Uint32Array(heap.buffer, context, words);
  const point = (buffer: number, storage: Storage) => {
    table()[contextHeader + buffer] = storage.moveToHeap();
  };
  inputs.forEach((s, i) => point(plan.inputs[i], s));
  outputs.forEach((s, i) => point(plan.outputs[i], s));
  table()[2] = machine.scratch;
  table()[contextHeader] = machine.arena;
  // The storages are kept alive by the binding: compiled code knows only their addresses.
  const kept = { inputs: [...inputs], outputs: [...outputs] };
  let disposed = false;
  return {
    kept,
    run(): void {
      if (disposed) throw new Error("This bound function was disposed. Bind it again.");
      executable.run(context);
    },
    retarget(input: number, storage: Storage, output = -1): void {
      kept.inputs[input] = storage;
      point(plan.inputs[input], storage);
      if (output >= 0) {
        kept.outputs[output] = storage;
        point(plan.outputs[output], storage);
      }
    },
    dispose(): void {
      if (disposed) return;
      disposed = true;
      heap.release(context, words * 4);
    },
  };
}
