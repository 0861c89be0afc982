import { readFileSync } from "#node";

/** What Emscripten asks of its `instantiateWasm` option. */
type Instantiate = (
  imports: WebAssembly.Imports,
  done: (instance: WebAssembly.Instance) => void,
) => WebAssembly.Exports;

const bytesOfPage = 65536;
const compiled = new Map<string, WebAssembly.Module>();

/**
 * The `instantiateWasm` option for a file: compiled once a process, instantiated as often as needed, and its memory never grows over
 * `megabytes`. A program that asks for more is told that there is none, as on a small machine.
 */
export function instantiate(
  file: string,
  megabytes: number,
  seen?: (memory: WebAssembly.Memory) => void,
): Instantiate {
  return (imports, done) => {
    let module = compiled.get(file);
    if (!module) compiled.set(file, (module = new WebAssembly.Module(readFileSync(file))));
    const instance = new WebAssembly.Instance(module, imports);
    // Some builds make the memory inside, others are given it.
    for (const memory of [
      ...Object.values(instance.exports),
      ...Object.values(imports).flatMap((i) => Object.values(i)),
    ]) {
      if (!(memory instanceof WebAssembly.Memory)) continue;
      const grow = memory.grow.bind(memory);
      // Emscripten grows the memory by this method only, and takes an exception for "there is no more".
      memory.grow = (pages) => {
        const after = memory.buffer.byteLength + pages * bytesOfPage;
        if (after > megabytes * 2 ** 20) throw new RangeError("The sandbox has no more memory.");
        return grow(pages);
      };
      seen?.(memory);
    }
    done(instance);
    return instance.exports;
  };
}
