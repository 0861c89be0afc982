import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { heap } from "../../heap.ts";
import type { Compiler, Executable, Note, Program } from "../../kernel/program.ts";
import { timeLimit } from "./build.ts";
import { forget, openLibrary } from "./cache.ts";
import { emitProgram } from "./main.ts";
import { readNote, writeNote } from "./notes.ts";
import { cacheLimit } from "./prune.ts";
import { runtimeSources } from "./runtime.ts";
import { checkSanitizer, type Guard, sanitized, withSanitizer } from "./sanitize.ts";
import { BuildError, compilers } from "./start.ts";
import { programFlags, runtimeFlags } from "./toolchain.ts";
import { awaiting, blocking, type Work } from "./work.ts";

/**
 * The part of koffi that is used here; koffi is an optional dependency, so its types may be missing too. What a function of a library
 * takes and returns is known only from its prototype, a text: whoever writes that says the type beside it.
 */
interface Koffi {
  load(path: string): { func<F extends (...args: never[]) => unknown>(prototype: string): F };
}

interface Runtime {
  readonly koffi: Koffi;
  /** Address of the table that programs get their products and threads from. */
  readonly table: number;
  /** Address of the heap's first byte. A shared memory keeps it when it grows. */
  readonly base: number;
  readonly bf16: boolean;
  readonly guard?: Guard;
}

let loaded: Runtime | undefined;
let loading: Promise<Runtime> | undefined;

function runtime(memory: WebAssembly.Memory = heap.memory): Runtime {
  loaded ??= blocking(loadRuntime(memory));
  return loaded;
}

/** Builds the runtime library, where that was not done yet, without keeping the thread: afterwards the others need not. */
export async function startNative(memory: WebAssembly.Memory): Promise<void> {
  if (loaded) return;
  loading ??= awaiting(loadRuntime(memory)).finally(() => {
    loading = undefined;
  });
  loaded ??= await loading;
}

function* loadRuntime(memory: WebAssembly.Memory): Work<Runtime> {
  // What they refuse is refused at once, not when it is needed.
  cacheLimit();
  timeLimit([]);
  checkSanitizer();
  const koffi = loadKoffi();
  const flags = withSanitizer(runtimeFlags);
  const open = (path: string): Runtime => {
    const library = koffi.load(path);
    const address = library.func<(p: Uint8Array) => number | bigint>("uintptr_t reins_address(void *p)");
    const table = library.func<() => number | bigint>("uintptr_t reins_runtime()");
    const bf16 = library.func<() => number>("int reins_bf16()");
    const base = Number(address(new Uint8Array(memory.buffer)));
    return {
      koffi,
      table: Number(table()),
      base,
      bf16: bf16() !== 0,
      guard: sanitized() ? guardOf(library, base) : undefined,
    };
  };
  const known = readNote(runtimeNote.key, flags);
  try {
    if (known) return open(known.path);
  } catch {
    forget(known!.path);
  }
  const sources = runtimeSources();
  const { loaded: opened, library } = yield* openLibrary(sources, flags, open);
  writeNote(runtimeNote, library, sources, flags);
  return opened;
}

/** The runtime library is found like a program's, so that nobody has to write its text to know its name. */
const runtimeNote: Note = { key: "runtime", text: "" };

type Mark = (base: number, offset: number, bytes: number) => void;

function guardOf(library: ReturnType<Koffi["load"]>, base: number): Guard {
  const mark = (name: string) =>
    library.func<Mark>(`void ${name}(uintptr_t heap, uintptr_t offset, uintptr_t bytes)`);
  const [poison, unpoison] = [mark("reins_poison"), mark("reins_unpoison")];
  return {
    poison: (offset, bytes) => poison(base, offset, bytes),
    unpoison: (offset, bytes) => unpoison(base, offset, bytes),
  };
}

function loadKoffi(): Koffi {
  try {
    return createRequire(import.meta.url)("koffi") as Koffi;
  } catch (error) {
    throw new BuildError(
      `The native back end needs the package koffi, which could not be loaded: ${(error as Error).message.split("\n")[0]}`,
    );
  }
}

/**
 * Compiles programs with the machine's C compiler and calls them through koffi. Programs run on `memory`: the caller names its heap,
 * because a bundler may give it another copy of this module's.
 * Throws, with the reason, where one of the two is missing.
 */
export function nativeCompiler(memory?: WebAssembly.Memory): Compiler {
  const { koffi, table, base } = runtime(memory);
  const flags = withSanitizer(programFlags);
  const load = (path: string, source: () => string, threads: number): Executable => {
    const library = koffi.load(path);
    const init = library.func<(table: number) => void>("void reins_init(uintptr_t table)");
    init(table);
    const enter = library.func<(heap: number, context: number, threads: number) => void>(
      "void reins_run(uintptr_t heap, uintptr_t context, long threads)",
    );
    return {
      backend: "native",
      get source() {
        return source();
      },
      run(context: number): void {
        enter(base, context, threads);
      },
    };
  };
  function* build(program: Program, note?: Note): Work<Executable> {
    const sources = emitProgram(program, compilers);
    const { loaded, library } = yield* openLibrary(sources, flags, (path) =>
      load(path, () => sources.join("\n"), program.threads),
    );
    if (note) writeNote(note, library, sources, flags);
    return loaded;
  }
  return {
    name: "native",
    compile: (program, note) => blocking(build(program, note)),
    compileAsync: (program, note) => awaiting(build(program, note)),
    recall(key: string) {
      const found = readNote(key, flags);
      if (!found) return undefined;
      const { threads } = JSON.parse(found.text) as { threads: number };
      try {
        return { text: found.text, executable: load(found.path, () => "", threads) };
      } catch {
        // Planning and compiling again writes both anew.
        forget(found.path);
        return undefined;
      }
    },
  };
}

export { moduleStore } from "./modules.ts";

/** With REINS_SANITIZE=address: marks parts of the heap that compiled code must not touch. Elsewhere there is none. */
export function heapGuard(memory?: WebAssembly.Memory): Guard | undefined {
  return sanitized() ? runtime(memory).guard : undefined;
}

/** Whether matrix products with `precision: "bf16"` really run in bf16 here; elsewhere they run in f32. Needs the compiler. */
export function bf16Available(): boolean {
  return runtime().bf16;
}

/** How many threads a program can usefully have. */
export function threadsAvailable(): number {
  return Math.min(availableParallelism(), 256);
}
