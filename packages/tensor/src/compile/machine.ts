import { DeviceCopy } from "../device-copy.ts";
import { environment, refuse } from "../environment.ts";
import { type HeapBlock, heap } from "../heap.ts";
import { guarded, round64 } from "../heap-guard.ts";
import type { CostModel } from "../kernel/cost.ts";
import {
  type Compiler,
  contextHeader,
  contextWord,
  type Executable,
  type HostExecutable,
  type Note,
  type Program,
  setAddress,
} from "../kernel/program.ts";
import { lower, type Plan } from "../lower/lower.ts";
import { isProfiling, measured } from "../profile.ts";
import type { Storage } from "../tensor.ts";
import { explainPlan } from "./explain.ts";
import { graphKey } from "./key.ts";
import type { CompileOptions } from "./options.ts";
import type { Traced } from "./specialise.ts";
import type { Workspace } from "./workspace.ts";

/** The precision of products: that of the options, or of REINS_MATMUL. */
export function precisionOf({ matmulPrecision }: CompileOptions): "f32" | "bf16" {
  if (matmulPrecision) return matmulPrecision;
  const asked = environment("REINS_MATMUL") ?? "f32";
  return asked === "f32" || asked === "bf16" ? asked : refuse("REINS_MATMUL", asked, "use f32 or bf16.");
}

/** A traced function compiled to machine code, with the workspace that it shares with its other shapes. */
export class Machine {
  readonly traced: Traced;
  readonly plan: Plan;
  readonly executable: Executable;
  readonly workspace: Workspace;
  private readonly cost: CostModel;

  constructor(traced: Traced, { plan, executable }: Built, { cost }: Compiler, workspace: Workspace) {
    this.traced = traced;
    this.plan = plan;
    this.executable = executable;
    this.workspace = workspace;
    this.cost = cost;
  }

  /** Reserves memory for one more binding on the heap. */
  attach(executable: HostExecutable): void {
    const { plan } = this;
    this.workspace.attach({
      arena: plan.arenaBytes,
      scratch: round64(plan.scratchBytes) * plan.threads,
      reach: executable.reach,
    });
  }

  explain(bind: () => { run(): void; dispose(): void }): string {
    return explainPlan(this.traced, this.executable.backend, this.plan, this.cost, bind);
  }
}

interface Built {
  readonly plan: Plan;
  readonly executable: Executable;
}

/** A planned program that is not compiled yet. */
interface Planned {
  readonly plan: Plan;
  readonly program: Program;
  readonly note?: Note;
}

/** Plans and compiles, or loads the cached program of an earlier process. */
export function build(
  traced: Traced,
  compiler: Compiler,
  threads: number,
  options: CompileOptions,
  workspace: Workspace,
): Machine {
  const found = begin(traced, compiler, threads, options);
  if ("executable" in found) return new Machine(traced, found, compiler, workspace);
  const { plan, program, note } = found;
  return new Machine(traced, { plan, executable: compiler.compile(program, note) }, compiler, workspace);
}

/** Like `compile`, without blocking the thread while the compiler runs. */
export async function buildAsync(
  traced: Traced,
  compiler: Compiler,
  threads: number,
  options: CompileOptions,
  workspace: Workspace,
): Promise<Machine> {
  const found = begin(traced, compiler, threads, options);
  if ("executable" in found) return new Machine(traced, found, compiler, workspace);
  const { plan, program, note } = found;
  return new Machine(
    traced,
    { plan, executable: await compiler.compileAsync(program, note) },
    compiler,
    workspace,
  );
}

function begin(
  traced: Traced,
  compiler: Compiler,
  threads: number,
  options: CompileOptions,
): Built | Planned {
  const precision = precisionOf(options);
  const recall = guarded ? undefined : compiler.recall?.bind(compiler);
  const key = recall ? graphKey(traced, [threads, precision]) : "";
  const known = recall?.(key);
  if (known) return { plan: JSON.parse(known.text) as Plan, executable: known.executable };
  const { program, plan } = lower(traced, {
    threads,
    precision,
    cost: compiler.cost,
    schedule: compiler.schedule,
    fast: precision === "bf16" && compiler.halves === true,
  });
  return { plan, program, note: recall && { key, text: JSON.stringify(plan) } };
}

/**
 * One set of buffers for a machine: `run` is a single call into compiled code. It keeps alive all memory that the code touches,
 * since the code has only addresses: the machine with its memory, the storages, and the table of addresses.
 */
export class MachineBinding {
  private readonly machine: Machine;
  private readonly executable: HostExecutable;
  /** The version of the memory that the table points to. */
  private version = -1;
  private readonly inputs: Storage[];
  private readonly outputs: Storage[];
  private readonly context: HeapBlock;
  private disposed = false;
  /** Runs the program. A standalone function that callers can store; it keeps the binding alive. */
  readonly run: () => void;

  constructor(
    machine: Machine,
    executable: HostExecutable,
    inputs: readonly Storage[],
    outputs: readonly Storage[],
  ) {
    const { plan } = machine;
    this.machine = machine;
    this.executable = executable;
    this.inputs = [...inputs];
    this.outputs = [...outputs];
    const pinned: Storage[] = [];
    const pin = (s: Storage, buffer: number) => {
      this.point(buffer, s);
      pinned.push(s);
    };
    machine.attach(executable);
    try {
      this.context = heap.reserve((contextHeader + plan.buffers) * contextWord, executable.reach);
      inputs.forEach((s, i) => pin(s, plan.inputs[i]));
      outputs.forEach((s, i) => pin(s, plan.outputs[i]));
    } catch (error) {
      // The heap is full: release what this binding has, for others to use.
      for (const s of pinned) s.unpin();
      machine.workspace.detach();
      throw error;
    }
    this.find();
    const { workspace } = machine;
    const address = executable.address(this.context);
    this.run = () => {
      if (this.disposed) throw new Error("This bound function was disposed. Bind it again.");
      if (this.version !== workspace.version) this.find();
      if (DeviceCopy.count > 0) this.meetDevices();
      if (guarded) this.watchedRun(address);
      else if (isProfiling()) measured("function", machine.traced.name, () => executable.run(address));
      else executable.run(address);
    };
  }

  /** Brings values from devices that have newer ones, and tells devices that results will be newer here. */
  private meetDevices(): void {
    for (const s of this.inputs) s.values;
    for (const s of this.outputs) s.data;
  }

  /** Records where the memory for a run is now. */
  private find(): void {
    const { version, now } = this.machine.workspace;
    this.write(0, now.scratch);
    this.write(contextHeader, now.arena);
    this.version = version;
  }

  /** Writes the address of a block into a word of the context. */
  private write(word: number, block: HeapBlock): void {
    const { region, offset, bytes } = this.context;
    setAddress(new Uint32Array(region.buffer, offset, bytes / 4), word, this.executable.address(block));
  }

  private point(buffer: number, storage: Storage): void {
    this.write(contextHeader + buffer, storage.pin(this.executable.reach));
  }

  /** Runs with unwritten memory poisoned (guarded mode). */
  private watchedRun(address: number): void {
    const written = this.outputs.filter((s) => !this.inputs.includes(s)).map((s) => s.moveToHeap());
    const { arena, scratch } = this.machine.workspace.now;
    for (const { region, offset, bytes } of [arena, scratch, ...written]) region.guard?.poison(offset, bytes);
    this.executable.run(address);
    heap.check();
  }

  /** Replaces the storage of an input, and of the output that takes over its memory. */
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
    this.machine.workspace.detach();
  }
}
