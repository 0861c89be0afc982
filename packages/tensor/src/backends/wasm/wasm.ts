import { heap } from "../../heap.ts";
import { processor } from "../../kernel/cost.ts";
import type { Compiler, HostExecutable, Note, Program } from "../../kernel/program.ts";
import { chooseRelaxedSimd, isArm } from "./engine.ts";
import { listing } from "./listing.ts";
import type { Addresses } from "./main.ts";
import { type Emitted, emitProgram } from "./program.ts";
import { mayWait, pool } from "./threads.ts";
import { workspace } from "./workspace.ts";

export interface WasmOptions {
  /** Maximum number of threads of a program (default 1). More need workers, which start with the first such program. */
  readonly threads?: number;
  /**
   * Fused multiply-add in sums and matrix products, by WebAssembly's relaxed SIMD: up to 1.5 times as fast, and rounded once
   * instead of twice, so that sums and products differ in their last bits between processors with and without it. Elementwise
   * results do not change, and results never depend on the number of threads.
   *
   * Default: used if the engine has it without a flag (Node 22 and later, current browsers). `true` also enables it in
   * Node 20, by a V8 flag for the whole process, as does the environment variable REINS_RELAXED_SIMD=1. `false` disables it;
   * REINS_RELAXED_SIMD=0 disables it everywhere, regardless of this option.
   */
  readonly relaxed?: boolean;
  /** Caches modules between processes, if a cache is available. */
  readonly store?: ModuleStore;
}

/** Modules compiled by earlier processes, each with a text. */
export interface ModuleStore {
  find(key: string): KeptModule | undefined;
  keep(key: string, module: KeptModule): void;
}

export interface KeptModule {
  readonly text: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** A module and the information that this process needs to run it. */
interface Made extends Emitted {
  readonly threads: number;
  readonly source: string;
}

/** The cached metadata beside the bytes, and the caller's note. */
interface Kept {
  readonly note: string;
  readonly workspace: number;
  readonly threads: number;
}

/** A compiler to WebAssembly. On a browser's main thread, where large modules must not compile synchronously, use `compileAsync`. */
export function wasmCompiler(options: WasmOptions = {}): Compiler<HostExecutable> {
  const most = Math.min(63, Math.max(1, Math.floor(options.threads ?? 1)));
  const { store } = options;
  const settings = { relaxed: chooseRelaxedSimd(options.relaxed), arm: isArm(), mayWait: mayWait() };
  const keyOf = (key: string) => JSON.stringify([settings, most, key]);

  const emit = (program: Program, note?: Note): Made => {
    const threads = Math.min(most, program.threads);
    const { bytes, workspace } = emitProgram(program, { ...settings, threaded: threads > 1 });
    const kept: Kept | undefined = note && { note: note.text, workspace, threads };
    if (note) store?.keep(keyOf(note.key), { text: JSON.stringify(kept), bytes });
    return { bytes, workspace, threads, source: listing(program, bytes.length) };
  };
  const place = ({ threads, workspace: bytes }: Made) => {
    const team = threads > 1 ? pool(threads) : undefined;
    const addresses: Addresses = { barrier: team?.barrier ?? 0, workspace: workspace(bytes, most) };
    return { team, addresses, imports: { env: { memory: heap.memory, ...addresses } } };
  };
  const finish = (
    { threads, source }: Made,
    { team, addresses }: ReturnType<typeof place>,
    module: WebAssembly.Module,
    instance: WebAssembly.Instance,
  ): HostExecutable => {
    const main = instance.exports.main as (context: number, thread: number, threads: number) => void;
    const run = team
      ? team.install(module, addresses, main, threads)
      : (context: number) => main(context, 0, 1);
    return { backend: "wasm", source, reach: "everybody", address: (block) => block.offset, run };
  };
  const load = (made: Made): HostExecutable => {
    const module = new WebAssembly.Module(made.bytes);
    const placed = place(made);
    return finish(made, placed, module, new WebAssembly.Instance(module, placed.imports));
  };

  return {
    name: "wasm",
    schedule: "rows",
    cost: { ...processor, sumsTogether: 6 },
    compile: (program, note) => load(emit(program, note)),
    async compileAsync(program, note) {
      const made = emit(program, note);
      const placed = place(made);
      const module = await WebAssembly.compile(made.bytes);
      const instance = await WebAssembly.instantiate(module, placed.imports);
      const executable = finish(made, placed, module, instance);
      await placed.team?.ready();
      return executable;
    },
    recall: store && ((key) => recall(store, keyOf(key), load)),
  };
}

function recall(store: ModuleStore, key: string, load: (made: Made) => HostExecutable) {
  const found = store.find(key);
  if (!found) return undefined;
  const { note, workspace, threads } = JSON.parse(found.text) as Kept;
  return { text: note, executable: load({ bytes: found.bytes, workspace, threads, source: "" }) };
}
