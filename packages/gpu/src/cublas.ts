import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

interface Library {
  func(prototype: string): (...args: unknown[]) => number;
}

/** NVIDIA's matrix product in f32 without tensor cores, as a peer; undefined with the reason if it is not installed. */
export function openCublas():
  | { sgemm(n: number, a: number, b: number, c: number): void; wait(): void }
  | string {
  const koffi = createRequire(import.meta.url)("koffi") as { load(path: string): Library };
  const roots = [
    "/usr/local/cuda/lib64",
    ...folders("/usr/local", /^cuda/).map((f) => join(f, "lib64")),
    ...packages(),
  ];
  const paths = roots.flatMap((f) => ["libcublas.so.13", "libcublas.so.12"].map((n) => join(f, n)));
  for (const path of ["libcublas.so.13", "libcublas.so.12", ...paths.filter((p) => existsSync(p))]) {
    try {
      // The product needs its other half beforehand, which lies beside it.
      const other = path.replace("libcublas", "libcublasLt");
      if (existsSync(other)) koffi.load(other);
      return peer(koffi.load(path), koffi.load("libcuda.so.1"));
    } catch {
      // The next path may work.
    }
  }
  return "cuBLAS is not installed";
}

function peer(library: Library, driver: Library) {
  const create = library.func("int cublasCreate_v2(void *handle)");
  const precision = library.func("int cublasSetMathMode(uintptr_t handle, int mode)");
  const multiply = library.func(
    "int cublasSgemm_v2(uintptr_t handle, int ta, int tb, int m, int n, int k, void *alpha, uintptr_t a, int lda, uintptr_t b, int ldb, void *beta, uintptr_t c, int ldc)",
  );
  const synchronise = driver.func("int cuCtxSynchronize()");
  const out = new BigUint64Array(1);
  if (create(out) !== 0) throw new Error("cuBLAS did not start.");
  const handle = out[0];
  // 2: every product in f32, none in TF32.
  precision(handle, 2);
  const [one, zero] = [new Float32Array([1]), new Float32Array([0])];
  return {
    sgemm(n: number, a: number, b: number, c: number): void {
      const code = multiply(handle, 0, 0, n, n, n, one, a, n, b, n, zero, c, n);
      if (code !== 0) throw new Error(`cublasSgemm failed with ${code}.`);
    },
    wait(): void {
      if (synchronise() !== 0) throw new Error("The GPU reported an error after cuBLAS ran.");
    },
  };
}

function folders(root: string, pattern: RegExp): string[] {
  try {
    return readdirSync(root)
      .filter((n) => pattern.test(n))
      .map((n) => join(root, n));
  } catch {
    return [];
  }
}

/** Folders of Python packages from NVIDIA, such as PyTorch brings along. */
function packages(): string[] {
  return ["/usr", "/usr/local", "/opt", ...folders("/opt", /./)]
    .flatMap((f) => folders(join(f, "lib"), /^python3/))
    .flatMap((f) => [join(f, "site-packages"), join(f, "dist-packages")])
    .flatMap((f) => folders(join(f, "nvidia"), /./))
    .map((f) => join(f, "lib"));
}
