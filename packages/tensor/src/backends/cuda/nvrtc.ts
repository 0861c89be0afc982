import type { ForeignLibrary, Word } from "../native/foreign.ts";
import { CudaError } from "./errors.ts";
import { openInstalled } from "./library-paths.ts";
import { flagsOf } from "./prelude.ts";

/** NVIDIA's compiler from CUDA text to machine code. It needs no GPU. */
export interface Nvrtc {
  readonly version: string;
  /** Machine code for an architecture such as "sm_90". */
  compile(text: string, architecture: string): Uint8Array;
}

const names = ["libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"];

function open(): ForeignLibrary {
  const library = openInstalled(names, process.env.REINS_NVRTC);
  if (!("reason" in library)) return library;
  throw new CudaError(
    `The CUDA back end needs NVRTC, whose library ${names[0]} or ${names[1]} could not be loaded (${library.reason}). Install the CUDA toolkit, or \`pip install nvidia-cuda-nvrtc\` and name the library in REINS_NVRTC.`,
  );
}

export function openNvrtc(): Nvrtc {
  const library = open();
  const f = <A extends unknown[]>(name: string, args: string) =>
    library.func<(...args: A) => number>(`int ${name}(${args})`);
  const versionOf = f<[Int32Array, Int32Array]>("nvrtcVersion", "void *major, void *minor");
  const create = f<[BigUint64Array, string, string, number, null, null]>(
    "nvrtcCreateProgram",
    "void *program, const char *text, const char *name, int headers, void *sources, void *names",
  );
  const compile = f<[Word, number, string[]]>(
    "nvrtcCompileProgram",
    "uintptr_t program, int count, const char **options",
  );
  const destroy = f<[BigUint64Array]>("nvrtcDestroyProgram", "void *program");
  const part = (name: string) => {
    const size = f<[Word, BigUint64Array]>(`nvrtcGet${name}Size`, "uintptr_t program, void *size");
    const get = f<[Word, Uint8Array]>(`nvrtcGet${name}`, "uintptr_t program, void *to");
    return (program: Word): Uint8Array => {
      const bytes = new BigUint64Array(1);
      if (size(program, bytes) !== 0) return new Uint8Array();
      const out = new Uint8Array(Number(bytes[0]));
      get(program, out);
      return out;
    };
  };
  const [log, image] = [part("ProgramLog"), part("CUBIN")];
  const [major, minor] = [new Int32Array(1), new Int32Array(1)];
  versionOf(major, minor);
  return {
    version: `${major[0]}.${minor[0]}`,
    compile(text, architecture) {
      const out = new BigUint64Array(1);
      if (create(out, text, "reins.cu", 0, null, null) !== 0)
        throw new CudaError("NVRTC could not start a program: the machine may be out of memory.");
      const program = Number(out[0]);
      const options = [`--gpu-architecture=${architecture}`, ...flagsOf(text)];
      try {
        const code = compile(program, options.length, options);
        if (code !== 0)
          throw new CudaError(
            `NVRTC ${this.version} could not compile a program for ${architecture} (code ${code}): ${Buffer.from(log(program)).toString("utf8").slice(0, 2000)}`,
            code,
          );
        return image(program);
      } finally {
        destroy(out);
      }
    },
  };
}
