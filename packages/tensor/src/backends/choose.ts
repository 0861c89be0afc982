import {
  cudaCompiler,
  gpuPresent,
  heapGuard,
  moduleStore,
  nativeCompiler,
  startNative,
  threadsAvailable,
} from "#native";
import { environment, refuse } from "../environment.ts";
import { TensorError } from "../errors.ts";
import { heap } from "../heap.ts";
import type { Compiler } from "../kernel/program.ts";
import { type Replacement, withFallback } from "./fallback.ts";
import { wasmCompiler } from "./wasm/wasm.ts";

/** A back end: plain TypeScript one operation at a time (reference), WebAssembly, native C built on this machine, an NVIDIA GPU (cuda), or the GPU of a browser (webgpu). */
export type BackendName = Compiler["name"] | "reference";

export interface Backend {
  readonly name: BackendName;
  readonly compiler?: Compiler;
  /** Maximum number of threads of a program. */
  readonly threads: number;
}

/** All cores, or the value of REINS_THREADS. */
export function threadLimit(): number {
  const asked = environment("REINS_THREADS");
  if (!asked) return threadsAvailable();
  const n = Number(asked);
  if (!(n >= 1)) refuse("REINS_THREADS", asked, "use an integer of at least 1.");
  return Math.floor(n);
}

/** Constructors of the back ends, fastest first: by default the first that works is used. */
const makers: { readonly [K in BackendName]: (threads: number) => Omit<Backend, "name"> } = {
  native: (threads) => {
    const guardOf = heapGuard();
    if (guardOf) heap.watch(guardOf);
    const compiler = nativeCompiler();
    heap.wide = true;
    return { threads, compiler };
  },
  wasm: (threads) => ({ threads, compiler: wasmCompiler({ threads, store: moduleStore() }) }),
  reference: () => ({ threads: 1 }),
  // After the reference, which always works: on request, and for large functions.
  cuda: () => ({ threads: 1, compiler: cudaCompiler(requestedDevice() ?? 0) }),
  // Finding a GPU takes time, so `enableWebGPU` provides it.
  webgpu: () => {
    throw new Error("Call enableWebGPU() of reins/tensor/webgpu first.");
  },
};

const names = Object.keys(makers) as BackendName[];

const inNode = typeof process !== "undefined" && process.versions?.node !== undefined;

const made = new Map<BackendName, Backend | Error>();

function make(name: BackendName): Backend {
  let backend = made.get(name);
  if (!backend) {
    try {
      backend = { name, ...makers[name](threadLimit()) };
    } catch (error) {
      backend = error as Error;
    }
    made.set(name, backend);
  }
  if (backend instanceof Error) throw backend;
  return backend;
}

/** Replaces a back end from now on: a GPU other than the first, or in tests one that the CPU emulates. */
export function provideBackend(backend: Backend): void {
  made.set(backend.name, backend);
}

/** The default native back end, with WebAssembly as the fallback for programs that it cannot build. */
let forgiving: Backend | Error | undefined;

function makeForgiving(): Backend {
  const native = make("native");
  forgiving ??= {
    ...native,
    compiler: withFallback(native.compiler!, () => make("wasm").compiler!, replaced),
  };
  if (forgiving instanceof Error) throw forgiving;
  return forgiving;
}

/** Number of programs that run on WebAssembly although the process runs natively. */
let onWasm = 0;

/** Before the first native run the whole process can switch to WebAssembly; afterwards only the failed program does. */
function replaced({ first, error }: Replacement): void {
  const reason = error.message.split("\n")[0];
  if (first) {
    forgiving = error;
    chooseBackend("auto");
    console.error(`reins: wasm back end instead of native: ${reason}`);
    return;
  }
  onWasm++;
  console.error(
    `reins: one function runs on wasm, the others stay native (its sums may differ in the last bits): ${reason}`,
  );
}

let preferred: BackendName | "auto" | undefined;
let announced = false;

/** Chooses where compiled functions run from now on; "auto" takes the fastest that works. Overrides REINS_BACKEND. */
export function setBackend(name: BackendName | "auto"): void {
  preferred = name;
  current = undefined;
}

/** The back ends that work here, fastest first. */
export function availableBackends(): BackendName[] {
  return names.filter((name) => {
    try {
      return !!make(name);
    } catch {
      return false;
    }
  });
}

/** The GPU that REINS_DEVICE asks for: 1 for "cuda:1". */
function requestedDevice(): number | undefined {
  const asked = environment("REINS_DEVICE");
  if (!asked || asked === "cpu") return undefined;
  const found = /^cuda(?::(\d+))?$/.exec(asked);
  return found ? Number(found[1] ?? 0) : refuse("REINS_DEVICE", asked, "use cpu, cuda or cuda:N.");
}

function requestedBackend(name?: BackendName | "auto"): BackendName | "auto" {
  const fromEnvironment = environment("REINS_BACKEND") as BackendName | "auto" | undefined;
  return name ?? preferred ?? fromEnvironment ?? (requestedDevice() === undefined ? "auto" : "cuda");
}

/** Whether a large function may run on a GPU: there is one, and neither the function nor the process asks for a back end or a device. */
export function mayUseGpu(name?: BackendName): boolean {
  const free = requestedBackend(name) === "auto" && environment("REINS_DEVICE") !== "cpu";
  return free && !refused && (made.has("cuda") || gpuPresent());
}

let refused = false;

/** The GPU, if it works. Says once why one that is present does not. */
export function defaultGpu(): Backend | undefined {
  try {
    return make("cuda");
  } catch (error) {
    refused = true;
    if (environment("REINS_QUIET") !== "1")
      console.error(`reins: the GPU is not used: ${(error as Error).message.split("\n")[0]}`);
    return undefined;
  }
}

/** Whether functions are compiled for a device on request: known before their back end is made. */
export function runsOnDevice(name?: BackendName | "auto"): boolean {
  return requestedBackend(name) === "cuda";
}

/** Like `chooseBackend`, but builds what the back end needs without blocking the thread. */
export async function chooseBackendAsync(name?: BackendName | "auto", host = false): Promise<Backend> {
  const requested = requestedBackend(name);
  // An error here occurs again below, where it is reported or another back end is chosen.
  if ((requested === "native" || requested === "auto") && !made.has("native"))
    await startNative().catch(() => {});
  return chooseBackend(name, host);
}

/**
 * The back end for a function: the requested one, the preferred one, or the fastest. Prints the choice once, with the reason. With `host`
 * the results are read at once, which WebGPU cannot.
 */
export function chooseBackend(name?: BackendName | "auto", host = false): Backend {
  const requested = requestedBackend(name);
  if (host && !name && requested === "webgpu") return make("wasm");
  if (requested !== "auto") {
    if (!names.includes(requested))
      throw new Error(`Unknown back end "${requested}". Use ${names.join(", ")} or auto.`);
    const backend = make(requested);
    // One function's request says nothing about the others.
    const source = preferred
      ? "setBackend()"
      : environment("REINS_BACKEND")
        ? "REINS_BACKEND"
        : "REINS_DEVICE";
    if (!name) announce(backend, `set by ${source}`);
    return backend;
  }
  const reasons: string[] = [];
  for (const candidate of names) {
    try {
      const backend = candidate === "native" ? makeForgiving() : make(candidate);
      announce(backend, reasons.length ? reasons.join("; ") : "the fastest here");
      return backend;
    } catch (error) {
      if (error instanceof TensorError) throw error;
      // In a browser the native back end is never available, so its absence needs no explanation.
      if (inNode) reasons.push(`${candidate} does not work: ${(error as Error).message.split("\n")[0]}`);
    }
  }
  return make("reference");
}

let current: { name: BackendName; threads: number; why: string } | undefined;

/** The back end of functions that request none, and the reason. Chooses one if nothing has been compiled yet. */
export function currentBackend(): { name: BackendName; threads: number; why: string } {
  if (!current) chooseBackend();
  const { name, threads, why } = current!;
  if (name !== "native" || !onWasm) return { name, threads, why };
  return { name, threads, why: `${why}; ${onWasm} of its functions on wasm` };
}

function announce(backend: Backend, why: string): void {
  current = { name: backend.name, threads: backend.threads, why };
  if (announced || environment("REINS_QUIET") === "1") return;
  announced = true;
  const threads = backend.threads > 1 ? `, up to ${backend.threads} threads` : "";
  // In Node, standard output belongs to the program; in a browser, console.error would be red.
  const say = inNode ? console.error : console.info;
  say(`reins: ${backend.name} back end${threads} (${why})`);
}
