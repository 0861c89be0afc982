import { readFileSync } from "#node";
import { withFuel } from "./fuel.ts";

/** Type of Emscripten's `instantiateWasm` option. */
type Instantiate = (
  imports: WebAssembly.Imports,
  done: (instance: WebAssembly.Instance) => void,
) => WebAssembly.Exports;

/** Handles of an instance. */
export interface Instance {
  readonly memory: WebAssembly.Memory;
  /** Remaining fuel; see `withFuel`. Below zero the instance traps. */
  readonly fuel: WebAssembly.Global<"i32">;
  /** The stack pointer, which a trap does not reset. */
  readonly stack: WebAssembly.Global<"i32">;
  /** Number of rejected memory requests. */
  refusals: number;
}

const compiled = new Map<string, WebAssembly.Module>();

/** The instrumented module of a file. Compiled once per process. */
export function moduleOf(file: string): WebAssembly.Module {
  let module = compiled.get(file);
  if (!module) compiled.set(file, (module = new WebAssembly.Module(withFuel(readFileSync(file)))));
  return module;
}

/**
 * The `instantiateWasm` option for a module: it can be instantiated repeatedly, and its memory never exceeds
 * `megabytes`. Larger requests fail as if the machine had no more memory.
 *
 * Threads start from the source text of this function, so it uses only its parameters.
 */
export function instantiate(
  module: WebAssembly.Module,
  megabytes: number,
  seen: (instance: Instance) => void,
): Instantiate {
  return (imports, done) => {
    const instance = new WebAssembly.Instance(module, imports);
    const { fuel, stack } = instance.exports as Record<string, WebAssembly.Global<"i32">>;
    // Some builds create the memory, others import it.
    for (const memory of [
      ...Object.values(instance.exports),
      ...Object.values(imports).flatMap((i) => Object.values(i)),
    ]) {
      if (!(memory instanceof WebAssembly.Memory)) continue;
      const grow = memory.grow.bind(memory);
      const held = { memory, fuel, stack, refusals: 0 };
      // Emscripten grows the memory only through this method, and treats an exception as out of memory.
      memory.grow = (pages) => {
        const after = memory.buffer.byteLength + pages * 65536;
        if (after <= megabytes * 2 ** 20) return grow(pages);
        held.refusals++;
        throw new RangeError("The sandbox has no more memory.");
      };
      seen(held);
    }
    done(instance);
    return instance.exports;
  };
}
