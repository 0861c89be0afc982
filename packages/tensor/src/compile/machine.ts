import { environment, refuse } from "../environment.ts";
import { type HeapBlock, heap, type Idle } from "../heap.ts";
import { guarded, round64 } from "../heap-guard.ts";
import {
  type Compiler,
  contextHeader,
  contextWord,
  type Executable,
  type Note,
  type Program,
  setAddress,
} from "../kernel/program.ts";
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
    const { plan, executable } = this;
    this.users++;
    this.memory ??= {
      arena: heap.reserve(plan.arenaBytes, executable.reach),
      scratch: heap.reserve(round64(plan.scratchBytes) * plan.threads, executable.reach),
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
      this.context = heap.reserve((contextHeader + plan.buffers) * contextWord, executable.reach);
      inputs.forEach((s, i) => pin(s, plan.inputs[i]));
      outputs.forEach((s, i) => pin(s, plan.outputs[i]));
    } catch (error) {
      // The heap is full: what there is of it can be used by others.
      for (const s of pinned) s.unpin();
      machine.detach();
      throw error;
    }
    this.write(0, this.memory.scratch);
    this.write(contextHeader, this.memory.arena);
    const address = executable.address(this.context);
    this.run = () => {
      if (this.disposed) throw new Error("This bound function was disposed. Bind it again.");
      if (guarded) this.watchedRun(address);
      else executable.run(address);
    };
  }

  /** Writes where a block is into a word of the context. */
  private write(word: number, block: HeapBlock): void {
    const { region, offset, bytes } = this.context;
    setAddress(
      new Uint32Array(region.buffer, offset, bytes / 4),
      word,
      this.machine.executable.address(block),
    );
  }

  private point(buffer: number, storage: Storage): void {
    this.write(contextHeader + buffer, storage.pin(this.machine.executable.reach));
  }

  /** What nobody has written yet looks like it, in every call. */
  private watchedRun(address: number): void {
    const written = this.outputs.filter((s) => !this.inputs.includes(s)).map((s) => s.moveToHeap());
    for (const { region, offset, bytes } of [this.memory.arena, this.memory.scratch, ...written])
      region.guard?.poison(offset, bytes);
    this.machine.executable.run(address);
    heap.check();
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
