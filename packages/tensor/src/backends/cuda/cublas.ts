import type { GemmStep } from "../../kernel/program.ts";
import type { ForeignLibrary, Word } from "../native/foreign.ts";
import { CudaError } from "./errors.ts";
import { openInstalled } from "./library-paths.ts";

/** NVIDIA's library of matrix products, on one stream. */
export interface Cublas {
  /** Whether it can compute a product of bf16 operands: both must have one axis with adjacent elements. */
  fits(s: GemmStep): boolean;
  /** Queues a product of bf16 operands at these addresses; with `adds` it is added to c. */
  multiply(s: GemmStep, a: number, b: number, c: number, adds: boolean): void;
  /** Queues a product of square f32 matrices without tensor cores. */
  single(n: number, a: number, b: number, c: number): void;
}

const names = [13, 12].map((v) => `libcublas.so.${v}`);
const beside = [13, 12].map((v) => `libcublasLt.so.${v}`);

/** cuBLAS's numbers of types, operations and settings. */
const [f32, bf16] = [0, 14];
const [asStored, turned] = [0, 1];
const [sumsInF32, anyAlgorithm, noTensorCores] = [68, -1, 2];

/** Memory that products may use. */
export const cublasWorkspace = 2 ** 25;

/** An operand whose rows or columns are adjacent, as cuBLAS describes it: columns first. */
interface Operand {
  readonly turned: number;
  readonly leading: number;
}

/** Describes the transpose of a [rows, columns] matrix with these strides; undefined if neither axis is adjacent. */
function operand(
  rows: number,
  columns: number,
  [row, column]: readonly [number, number],
): Operand | undefined {
  // An axis with one element may have any stride.
  if ((column === 1 || columns === 1) && (row >= columns || rows === 1))
    return { turned: asStored, leading: rows === 1 ? Math.max(1, columns) : row };
  if ((row === 1 || rows === 1) && (column >= rows || columns === 1))
    return { turned, leading: columns === 1 ? Math.max(1, rows) : column };
  return undefined;
}

/** Starts cuBLAS, or says why it cannot. */
export function openCublas(stream: Word, workspace: number): Cublas | { readonly reason: string } {
  const library = openInstalled(names, process.env.REINS_CUBLAS, beside);
  return "reason" in library ? library : start(library, stream, workspace);
}

function start(library: ForeignLibrary, stream: Word, workspace: number): Cublas {
  const f = <A extends unknown[]>(name: string, args: string) =>
    library.func<(...args: A) => number>(`int ${name}(${args})`);
  const check = (what: string, code: number) => {
    if (code !== 0)
      throw new CudaError(
        `cuBLAS: ${what} failed with code ${code}. REINS_CUBLAS=off multiplies without it.`,
        code,
      );
  };
  const handle = new BigUint64Array(1);
  check("starting", f<[BigUint64Array]>("cublasCreate_v2", "void *handle")(handle));
  const [own] = handle;
  const word = "uintptr_t handle";
  check("choosing a stream", f<[Word, Word]>("cublasSetStream_v2", `${word}, uintptr_t stream`)(own, stream));
  const setWorkspace = f<[Word, number, number]>(
    "cublasSetWorkspace_v2",
    `${word}, uintptr_t memory, size_t bytes`,
  );
  check("choosing its memory", setWorkspace(own, workspace, cublasWorkspace));
  const setMode = f<[Word, number]>("cublasSetMathMode", `${word}, int mode`);
  const single = f<[Word, number, number, number, number, number, Float32Array, ...number[]]>(
    "cublasSgemm_v2",
    `${word}, int ta, int tb, int m, int n, int k, void *alpha, uintptr_t a, int lda, uintptr_t b, int ldb, void *beta, uintptr_t c, int ldc`,
  ) as (...args: unknown[]) => number;
  const batched = library.func<(...args: unknown[]) => number>(
    `int cublasGemmStridedBatchedEx(${word}, int ta, int tb, int m, int n, int k, void *alpha, uintptr_t a, int at, int lda, int64_t as, uintptr_t b, int bt, int ldb, int64_t bs, void *beta, uintptr_t c, int ct, int ldc, int64_t cs, int count, int compute, int algorithm)`,
  );
  const [one, zero] = [new Float32Array([1]), new Float32Array([0])];
  return {
    fits: (s) =>
      s.k > 0 && operand(s.m, s.k, s.aStrides) !== undefined && operand(s.k, s.n, s.bStrides) !== undefined,
    multiply(s, a, b, c, adds) {
      const [x, y] = [operand(s.k, s.n, s.bStrides)!, operand(s.m, s.k, s.aStrides)!];
      // One dimension of the batch is a call; the others are loops.
      const most = s.batch.reduce((i, d, j) => (d.extent > (s.batch[i]?.extent ?? 0) ? j : i), 0);
      const own_ = s.batch[most] ?? { extent: 1, a: 0, b: 0, c: 0 };
      const outer = s.batch.filter((_, i) => i !== most);
      const result = s.halves === "all" ? { type: bf16, bytes: 2 } : { type: f32, bytes: 4 };
      const total = outer.reduce((n, d) => n * d.extent, 1);
      for (let i = 0; i < total; i++) {
        let [ao, bo, co] = [0, 0, 0];
        let rest = i;
        for (let d = outer.length - 1; d >= 0; d--) {
          const at = rest % outer[d].extent;
          rest = Math.floor(rest / outer[d].extent);
          ao += at * outer[d].a;
          bo += at * outer[d].b;
          co += at * outer[d].c;
        }
        // Rows of c are columns for cuBLAS, so the operands change places.
        const code = batched(
          ...[own, x.turned, y.turned, s.n, s.m, s.k, one],
          ...[b + 2 * bo, bf16, x.leading, own_.b, a + 2 * ao, bf16, y.leading, own_.a],
          ...[
            adds ? one : zero,
            c + result.bytes * co,
            result.type,
            Math.max(s.cRow, s.n),
            own_.c,
            own_.extent,
          ],
          ...[sumsInF32, anyAlgorithm],
        );
        check(`a product ${s.m} × ${s.k} · ${s.k} × ${s.n}`, code);
      }
    },
    single(n, a, b, c) {
      check("choosing f32", setMode(own, noTensorCores));
      const code = single(own, asStored, asStored, n, n, n, one, a, n, b, n, zero, c, n);
      check("choosing tensor cores", setMode(own, 0));
      check("a product in f32", code);
    },
  };
}
