import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { type ForeignLibrary, loadForeign, type Word } from "../native/foreign.ts";
import { CudaError } from "./errors.ts";
import { exactFlags } from "./prelude.ts";

/** NVIDIA's compiler from CUDA text to machine code. It needs no GPU. */
export interface Nvrtc {
  readonly version: string;
  /** Machine code for an architecture such as "sm_90". */
  compile(text: string, architecture: string): Uint8Array;
}

const names = ["libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"];

/** Where CUDA and Python packages put the library, if the loader does not find it. */
function folders(): string[] {
  const below = (root: string, pattern: RegExp): string[] => {
    try {
      return readdirSync(root)
        .filter((n) => pattern.test(n))
        .map((n) => join(root, n));
    } catch {
      return [];
    }
  };
  const toolkits = [process.env.CUDA_HOME, process.env.CUDA_PATH, ...below("/usr/local", /^cuda/)].filter(
    (f): f is string => !!f,
  );
  const prefixes = [
    process.env.VIRTUAL_ENV,
    process.env.CONDA_PREFIX,
    join(homedir(), ".local"),
    "/usr",
    "/usr/local",
    ...below("/opt", /./),
  ];
  const packages = prefixes
    .filter((f): f is string => !!f)
    .flatMap((f) => below(join(f, "lib"), /^python3/))
    .flatMap((f) => [join(f, "site-packages"), join(f, "dist-packages")])
    .flatMap((f) => below(join(f, "nvidia"), /./));
  return [
    ...toolkits.flatMap((f) => [join(f, "lib64"), join(f, "targets/x86_64-linux/lib")]),
    ...packages.map((f) => join(f, "lib")),
  ];
}

function open(): ForeignLibrary {
  const foreign = loadForeign();
  const asked = process.env.REINS_NVRTC;
  const paths = asked
    ? [asked]
    : [
        ...names,
        ...folders()
          .flatMap((f) => names.map((n) => join(f, n)))
          .filter((p) => existsSync(p)),
      ];
  let reason = "";
  for (const path of paths) {
    try {
      return foreign.load(path);
    } catch (error) {
      reason ||= (error as Error).message.split("\n")[0];
    }
  }
  throw new CudaError(
    `The CUDA back end needs NVRTC, whose library ${names[0]} or ${names[1]} could not be loaded (${reason}). Install the CUDA toolkit, or \`pip install nvidia-cuda-nvrtc\` and name the library in REINS_NVRTC.`,
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
      const options = [`--gpu-architecture=${architecture}`, ...exactFlags];
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
