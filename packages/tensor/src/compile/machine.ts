import { environment, refuse } from "../environment.ts";
import { type HeapBlock, heap, type Idle } from "../heap.ts";
import { guarded, type HeapGuard, round64 } from "../heap-guard.ts";
import { type Compiler, contextHeader, type Executable, type Note, type Program } from "../kernel/program.ts";
import { lower, type Plan } from "../lower/lower.ts";
import type { Storage } from "../tensor.ts";
import { explainPlan } from "./explain.ts";
import { graphKey } from "./key.ts";
import type { CompileOptions } from "./options.ts";
import type { Traced } from "./specialise.ts";

function usualPrecision(): "f32" | "bf16" {
  const asked = environment("REINS_MATMUL") ?? "f32";
  return asked === "f32" || asked === "bf16"
    ? asked
    : refuse("REINS_MATMUL", asked, "it may be f32 or bf16.");
}

/** A traced function compiled to machine code, with the memory that its calls share. */
export class Machine implements Idle {
  readonly traced: Traced;
  readonly plan: Plan;
  readonly executable: Executable;
  waiting = false;
  private memory: { arena: HeapBlock; scratch: HeapBlock } | undefined;
  /** How many bindings use the memory. */
  private users = 0;

  constructor(traced: Traced, { plan, executable }: Built) {
    this.traced = traced;
    this.plan = plan;
    this.executable = executable;
  }

  /** The memory that calls share, for one more binding. */
  attach(): { arena: HeapBlock; scratch: HeapBlock } {
    const { plan } = this;
    this.users++;
    this.memory ??= {
      arena: heap.reserve(plan.arenaBytes),
      scratch: heap.reserve(round64(plan.scratchBytes) * plan.threads),
    };
    return this.memory;
  }

  detach(): void {
    this.users--;
    if (this.users === 0) heap.waits(this);
  }

  relieve(): void {
    if (this.users > 0 || !this.memory) return;
    this.memory.arena.release();
    this.memory.scratch.release();
    this.memory = undefined;
  }

  explain(bind: () => { run(): void; dispose(): void }): string {
    return explainPlan(this.traced, this.executable.backend, this.plan, bind);
  }
}

interface Built {
  readonly plan: Plan;
  readonly executable: Executable;
}

/** A planned program that has to be compiled yet. */
interface Planned {
  readonly plan: Plan;
  readonly program: Program;
  readonly note?: Note;
}

/** Plans and compiles, or finds what an earlier process made of the same function. */
export function build(traced: Traced, compiler: Compiler, threads: number, options: CompileOptions): Machine {
  const found = begin(traced, compiler, threads, options);
  if ("executable" in found) return new Machine(traced, found);
  const { plan, program, note } = found;
  return new Machine(traced, { plan, executable: compiler.compile(program, note) });
}

/** The same without keeping the thread while the compiler is at work. */
export async function buildAsync(
  traced: Traced,
  compiler: Compiler,
  threads: number,
  options: CompileOptions,
): Promise<Machine> {
  const found = begin(traced, compiler, threads, options);
  if ("executable" in found) return new Machine(traced, found);
  const { plan, program, note } = found;
  return new Machine(traced, { plan, executable: await compiler.compileAsync(program, note) });
}

function begin(
  traced: Traced,
  compiler: Compiler,
  threads: number,
  options: CompileOptions,
): Built | Planned {
  const precision = options.matmulPrecision ?? usualPrecision();
  const recall = guarded ? undefined : compiler.recall?.bind(compiler);
  const key = recall ? graphKey(traced, [threads, precision]) : "";
  const known = recall?.(key);
  if (known) return { plan: JSON.parse(known.text) as Plan, executable: known.executable };
  const { program, plan } = lower(traced, { threads, precision });
  return { plan, program, note: recall && { key, text: JSON.stringify(plan) } };
}

/**
 * One set of buffers for a machine: `run` is a single call into compiled code. It holds all that the code touches, which knows
 * only addresses: the machine with its arena, the storages, and its own table of them.
 */
export class MachineBinding {
  private readonly machine: Machine;
  private readonly memory: { arena: HeapBlock; scratch: HeapBlock };
  private readonly inputs: Storage[];
  private readonly outputs: Storage[];
  private readonly context: HeapBlock;
  private readonly offset: number;
  private disposed = false;
  /** Runs the program: a function of its own, which a caller can keep, and which keeps the binding. */
  readonly run: () => void;

  constructor(machine: Machine, inputs: readonly Storage[], outputs: readonly Storage[]) {
    const { plan, executable } = machine;
    this.machine = machine;
    this.inputs = [...inputs];
    this.outputs = [...outputs];
    const pinned: Storage[] = [];
    const pin = (s: Storage, buffer: number) => {
      this.point(buffer, s);
      pinned.push(s);
    };
    try {
      this.memory = machine.attach();
      this.context = heap.reserve((contextHeader + plan.buffers) * 4);
      this.offset = this.context.offset;
      inputs.forEach((s, i) => pin(s, plan.inputs[i]));
      outputs.forEach((s, i) => pin(s, plan.outputs[i]));
    } catch (error) {
      // The heap is full: what there is of it can be used by others.
      for (const s of pinned) s.unpin();
      machine.detach();
      throw error;
    }
    const table = this.table();
    table[2] = this.memory.scratch.offset;
    table[contextHeader] = this.memory.arena.offset;
    const { offset } = this;
    this.run = () => {
      if (this.disposed) throw new Error("This bound function was disposed. Bind it again.");
      if (guarded) this.watchedRun(heap.guard!);
      else executable.run(offset);
    };
  }

  private table(): Uint32Array {
    return new Uint32Array(heap.buffer, this.offset, contextHeader + this.machine.plan.buffers);
  }

  private point(buffer: number, storage: Storage): void {
    const offset = storage.pin();
    this.table()[contextHeader + buffer] = offset;
  }

  /** What nobody has written yet looks like it, in every call. */
  private watchedRun(guard: HeapGuard): void {
    const written = this.outputs.filter((s) => !this.inputs.includes(s)).map((s) => s.moveToHeap());
    for (const { offset, bytes } of [this.memory.arena, this.memory.scratch, ...written])
      guard.poison(offset, bytes);
    this.machine.executable.run(this.offset);
    guard.check();
  }

  /** Another storage for an input, and for the output that takes its place. */
  retarget(input: number, storage: Storage, output = -1): void {
    const { plan } = this.machine;
    this.point(plan.inputs[input], storage);
    this.inputs[input].unpin();
    this.inputs[input] = storage;
    if (output < 0) return;
    this.point(plan.outputs[output], storage);
    this.outputs[output].unpin();
    this.outputs[output] = storage;
  }

  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    this.context.release();
    for (const s of [...this.inputs, ...this.outputs]) s.unpin();
    this.machine.detach();
  }
}
