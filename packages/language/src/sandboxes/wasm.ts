import { readFileSync } from "#node";
import { withFuel } from "./fuel.ts";

/** What Emscripten asks of its `instantiateWasm` option. */
type Instantiate = (
  imports: WebAssembly.Imports,
  done: (instance: WebAssembly.Instance) => void,
) => WebAssembly.Exports;

/** What an instance is held by from outside. */
export interface Instance {
  readonly memory: WebAssembly.Memory;
  /** How much may still be done; see `withFuel`. Below zero, nothing. */
  readonly fuel: WebAssembly.Global<"i32">;
  /** The stack pointer, which a trap leaves where it was. */
  readonly stack: WebAssembly.Global<"i32">;
  /** How often it was refused more memory. */
  refusals: number;
}

const compiled = new Map<string, WebAssembly.Module>();

/** The module of a file, with fuel. Compiled once a process. */
export function moduleOf(file: string): WebAssembly.Module {
  let module = compiled.get(file);
  if (!module) compiled.set(file, (module = new WebAssembly.Module(withFuel(readFileSync(file)))));
  return module;
}

/**
 * The `instantiateWasm` option for a module: instantiated as often as needed, and its memory never grows over `megabytes`. A program that
 * asks for more is told that there is none, as on a small machine.
 *
 * Threads start from the text of this function, so it uses nothing but what it is given.
 */
export function instantiate(
  module: WebAssembly.Module,
  megabytes: number,
  seen: (instance: Instance) => void,
): Instantiate {
  return (imports, done) => {
    const instance = new WebAssembly.Instance(module, imports);
    const { fuel, stack } = instance.exports as Record<string, WebAssembly.Global<"i32">>;
    // Some builds make the memory inside, others are given it.
    for (const memory of [
      ...Object.values(instance.exports),
      ...Object.values(imports).flatMap((i) => Object.values(i)),
    ]) {
      if (!(memory instanceof WebAssembly.Memory)) continue;
      const grow = memory.grow.bind(memory);
      const held = { memory, fuel, stack, refusals: 0 };
      // Emscripten grows the memory by this method only, and takes an exception for "there is no more".
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
