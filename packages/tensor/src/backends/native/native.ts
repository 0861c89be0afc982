import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import type { Region } from "../../heap-region.ts";
import { processor } from "../../kernel/cost.ts";
import type { Compiler, HostExecutable, Note, Program } from "../../kernel/program.ts";
import { timeLimit } from "./build.ts";
import { forget, openLibrary } from "./cache.ts";
import { type Foreign, type ForeignLibrary, loadForeign, type Word } from "./foreign.ts";
import { emitProgram } from "./main.ts";
import { readNote, writeNote } from "./notes.ts";
import { cacheLimit } from "./prune.ts";
import { runtimeSources } from "./runtime.ts";
import { checkSanitizer, type Guard, sanitized, withSanitizer } from "./sanitize.ts";
import { compilers } from "./start.ts";
import { programFlags, runtimeFlags } from "./toolchain.ts";
import { awaiting, blocking, type Work } from "./work.ts";

interface Runtime {
  readonly foreign: Foreign;
  /** Address of the table with the products and threads for programs. */
  readonly table: number;
  readonly bf16: boolean;
  /** Address of a region's first byte. A shared memory keeps it when it grows. */
  baseOf(region: Region): number;
  readonly guardOf?: (region: Region) => Guard;
}

let loaded: Runtime | undefined;
let loading: Promise<Runtime> | undefined;

function runtime(): Runtime {
  loaded ??= blocking(loadRuntime());
  return loaded;
}

/** Builds the runtime library in advance, without blocking the thread. */
export async function startNative(): Promise<void> {
  if (loaded) return;
  loading ??= awaiting(loadRuntime()).finally(() => {
    loading = undefined;
  });
  loaded ??= await loading;
}

function* loadRuntime(): Work<Runtime> {
  // Invalid settings are refused immediately, not on first use.
  cacheLimit();
  timeLimit([]);
  checkSanitizer();
  const foreign = loadForeign();
  const flags = withSanitizer(runtimeFlags);
  const open = (path: string) => openRuntime(foreign, foreign.load(path));
  const known = readNote(runtimeNote.key, flags);
  if (known) {
    try {
      return open(known.path);
    } catch {
      forget(known.path);
    }
  }
  const sources = runtimeSources();
  const { loaded: opened, library } = yield* openLibrary(sources, flags, open);
  writeNote(runtimeNote, library, sources, flags);
  return opened;
}

/** The runtime library is found like a program, so that its text need not be generated to know its name. */
const runtimeNote: Note = { key: "runtime", text: "" };

function openRuntime(foreign: Foreign, library: ForeignLibrary): Runtime {
  const table = library.func<() => Word>("uintptr_t reins_runtime()");
  const bf16 = library.func<() => number>("int reins_bf16()");
  const address = library.func<(p: Uint8Array) => Word>("uintptr_t reins_address(void *p)");
  const largePages = library.func<(at: number, bytes: number, written: number) => void>(
    "void reins_large_pages(uintptr_t at, uintptr_t bytes, uintptr_t written)",
  );
  const bases = new WeakMap<WebAssembly.Memory, number>();
  const baseOf = ({ memory, limit, top }: Region) => {
    let base = bases.get(memory);
    if (base === undefined) {
      base = Number(address(new Uint8Array(memory.buffer)));
      bases.set(memory, base);
      if (process.env.REINS_LARGE_PAGES !== "0") largePages(base, limit, top);
    }
    return base;
  };
  const guardOf = sanitized() ? guards(library, baseOf) : undefined;
  return { foreign, table: Number(table()), bf16: bf16() !== 0, baseOf, guardOf };
}

function guards(library: ForeignLibrary, baseOf: (region: Region) => number): (region: Region) => Guard {
  const mark = (name: string) =>
    library.func<(heap: number, offset: number, bytes: number) => void>(
      `void ${name}(uintptr_t heap, uintptr_t offset, uintptr_t bytes)`,
    );
  const [poison, unpoison] = [mark("reins_poison"), mark("reins_unpoison")];
  return (region) => {
    const base = baseOf(region);
    return {
      poison: (offset, bytes) => poison(base, offset, bytes),
      unpoison: (offset, bytes) => unpoison(base, offset, bytes),
    };
  };
}

/**
 * Compiles programs with the machine's C compiler and calls them through koffi. Throws, with the reason, if one of the two is
 * missing. The heap is the caller's: a bundler may give it another copy than this module would have.
 */
export function nativeCompiler(): Compiler<HostExecutable> {
  const { foreign, table, baseOf } = runtime();
  const flags = withSanitizer(programFlags);
  const load = (path: string, source: () => string, threads: number): HostExecutable => {
    const library = foreign.load(path);
    library.func<(table: number) => void>("void reins_init(uintptr_t table)")(table);
    const enter = library.func<(context: number, threads: number) => void>(
      "void reins_run(uintptr_t context, long threads)",
    );
    return {
      backend: "native",
      get source() {
        return source();
      },
      reach: "native",
      address: ({ region, offset }) => baseOf(region) + offset,
      run(context: number): void {
        enter(context, threads);
      },
    };
  };
  function* build(program: Program, note?: Note): Work<HostExecutable> {
    const sources = emitProgram(program, compilers);
    const { loaded, library } = yield* openLibrary(sources, flags, (path) =>
      load(path, () => sources.join("\n"), program.threads),
    );
    if (note) writeNote(note, library, sources, flags);
    return loaded;
  }
  return {
    name: "native",
    schedule: "rows",
    cost: { ...processor, sumsTogether: 2 },
    compile: (program, note) => blocking(build(program, note)),
    compileAsync: (program, note) => awaiting(build(program, note)),
    recall(key: string) {
      const found = readNote(key, flags);
      if (!found) return undefined;
      const { threads } = JSON.parse(found.text) as { threads: number };
      try {
        return { text: found.text, executable: load(found.path, () => "", threads) };
      } catch {
        // Planning and compiling again rewrites both.
        forget(found.path);
        return undefined;
      }
    },
  };
}

export { cudaCompiler } from "../cuda/cuda.ts";

/** Whether this machine seems to have an NVIDIA GPU. Starts nothing. */
export function gpuPresent(): boolean {
  return ["/dev/nvidiactl", "/dev/dxg"].some((path) => existsSync(path));
}

export { moduleStore } from "./modules.ts";

/** With REINS_SANITIZE=address: marks parts of the heap that compiled code must not touch. Undefined otherwise. */
export function heapGuard(): ((region: Region) => Guard) | undefined {
  return sanitized() ? runtime().guardOf : undefined;
}

/** Whether matrix products with `precision: "bf16"` run in bf16 here; elsewhere they run in f32. Needs the compiler. */
export function bf16Available(): boolean {
  return runtime().bf16;
}

/** The useful number of threads of a program. */
export function threadsAvailable(): number {
  return Math.min(availableParallelism(), 256);
}
