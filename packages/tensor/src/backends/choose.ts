import { heapGuard, moduleStore, nativeCompiler, startNative, threadsAvailable } from "#native";
import { environment, refuse } from "../environment.ts";
import { TensorError } from "../errors.ts";
import { heap } from "../heap.ts";
import type { Compiler } from "../kernel/program.ts";
import { type Replacement, withFallback } from "./fallback.ts";
import { wasmCompiler } from "./wasm/wasm.ts";

/** What can compute: plain TypeScript one operation at a time, WebAssembly, or C built on this machine. */
export type BackendName = Compiler["name"] | "reference";

export interface Backend {
  readonly name: BackendName;
  readonly compiler?: Compiler;
  /** Most threads that a program may use. */
  readonly threads: number;
}

/** All cores, or what REINS_THREADS says. */
export function threadLimit(): number {
  const asked = environment("REINS_THREADS");
  if (!asked) return threadsAvailable();
  const n = Number(asked);
  if (!(n >= 1)) refuse("REINS_THREADS", asked, "it must be a whole number from 1.");
  return Math.floor(n);
}

/** How each back end is made, the fastest first: who names none gets the first that works. */
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

/** The native back end of those who named none: made of the one above, and WebAssembly for programs that it cannot build. */
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

/** Programs that run on WebAssembly although the process runs natively. */
let elsewhere = 0;

/** As long as nothing ran natively the whole process can change over; afterwards only the program that could not be built does. */
function replaced({ first, error }: Replacement): void {
  const reason = error.message.split("\n")[0];
  if (first) {
    forgiving = error;
    chooseBackend("auto");
    console.error(`reins: wasm back end instead of native: ${reason}`);
    return;
  }
  elsewhere++;
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

function wished(name?: BackendName | "auto"): BackendName | "auto" {
  const fromEnvironment = environment("REINS_BACKEND") as BackendName | "auto" | undefined;
  return name ?? preferred ?? fromEnvironment ?? "auto";
}

/** The same as `chooseBackend`; what has to be built for it is built without keeping the thread. */
export async function chooseBackendAsync(name?: BackendName | "auto"): Promise<Backend> {
  const wish = wished(name);
  // What goes wrong here goes wrong again below, which says so or takes another.
  if ((wish === "native" || wish === "auto") && !made.has("native")) await startNative().catch(() => {});
  return chooseBackend(name);
}

/** The back end for a function: the named one, or the preferred, or the fastest. Says once which it is and why. */
export function chooseBackend(name?: BackendName | "auto"): Backend {
  const wish = wished(name);
  if (wish !== "auto") {
    if (!names.includes(wish))
      throw new Error(`There is no back end "${wish}". Use ${names.join(", ")} or auto.`);
    const backend = make(wish);
    // What one function asks for says nothing about the others.
    if (!name) announce(backend, preferred ? "as set by setBackend()" : "as REINS_BACKEND says");
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
      // Nobody expects C in a page.
      if (inNode) reasons.push(`${candidate} does not work: ${(error as Error).message.split("\n")[0]}`);
    }
  }
  return make("reference");
}

let current: { name: BackendName; threads: number; why: string } | undefined;

/** Which back end functions run on that ask for none, and why. Chooses one now if nothing was compiled yet. */
export function backendInUse(): { name: BackendName; threads: number; why: string } {
  if (!current) chooseBackend();
  const { name, threads, why } = current!;
  if (name !== "native" || !elsewhere) return { name, threads, why };
  return { name, threads, why: `${why}; ${elsewhere} of its functions on wasm` };
}

function announce(backend: Backend, why: string): void {
  current = { name: backend.name, threads: backend.threads, why };
  if (announced || environment("REINS_QUIET") === "1") return;
  announced = true;
  const threads = backend.threads > 1 ? `, up to ${backend.threads} threads` : "";
  // In Node the standard output is the program's own; in a page an error would be red.
  const say = inNode ? console.error : console.info;
  say(`reins: ${backend.name} back end${threads} (${why})`);
}
